"""Writing matches as text and reading them back.

TEXT and the golden files have old formats, which must stay readable: add files, but change none.
"""

from pathlib import Path
from random import Random

import pytest

from engine import Malformed, Match, begin, commitment, load, snapshot
from engine.core import notation, story
from engine.core.story import About, Chair, NewPlayer
from engine.core.transcript import check, parse, replay, write
from engine.core.words import Words
from tests.contract.games import ALL, new_match, shortest, words_for
from tests.contract.player import play_out
from tests.toy import TOY, WORDS
from tests.toy.scenes import P1, P2, P3, pick, play_turn
from tests.transcripts.scenario import HERE as TRANSCRIPTS
from tests.transcripts.scenario import text_of

TEXT = """\
motu transcript 1
game toy 3
seats 3
set rounds 2
set storms on
computer p3
seed 40c
1 p1 c10  # P1 has bid
2 p3 throw_net/p2  # P3 throws a net over P2
3 p2 c4+c5  # P2 has bid
open 3
"""
"""Of version 1, which is still read."""


def match_of_text() -> Match:
    """Return the match in TEXT."""
    match = begin(TOY, 3, seed="40c", computers=frozenset({P3}))
    match = pick(play_turn(match, P1, "c10"), P3, "throw_net/p2")
    return play_turn(match, P2, "c4+c5")


def bare(text: str) -> list[str]:
    """Return a transcript's lines without hashes and explanations."""
    return [
        line.split("  = ")[0].rstrip()
        for line in text.splitlines()
        if line and not line.startswith((" ", "=="))
    ]


def test_a_transcript_has_one_line_per_commit_with_its_events() -> None:
    text = write(
        match_of_text(), WORDS, About(chairs=(Chair("Ana"), Chair(), Chair("Moana ⚙", "steady")))
    )
    head = [
        "motu transcript 2",
        "game toy 3",
        "person p1 Ana",
        "person p2",
        "computer p3 steady Moana ⚙",
    ]
    head += ["set rounds 2", "set storms on"]
    play = ["0 begins", "1 p1 c10", "2 p3 throw_net/p2", "3 p2 c4+c5"]
    assert bare(text) == [*head, *play, "open 3", "seed 40c"]
    lines = text.splitlines()
    told = next(place for place, line in enumerate(lines) if line.startswith("2 p3 throw_net/p2 "))
    assert lines[told + 1] == "    Moana ⚙ throws a net over P2"
    assert replay(text, ALL, WORDS) == match_of_text()


def test_a_transcript_is_parsed_into_its_parts() -> None:
    script = parse(TEXT)
    assert script.format == 1
    assert script.game == "toy"
    assert script.version == 3
    assert script.seats == 3
    assert script.seed == "40c"
    assert dict(script.settings) == {"rounds": "2", "storms": "on"}
    assert script.computers == (P3,)
    line = script.lines[2]
    assert line.number == 3
    assert line.seat == P2
    assert line.words == ("c4+c5",)
    assert line.block.at == 10
    assert script.last == "open 3"


def test_a_transcript_is_replayed_to_an_equal_match() -> None:
    match = match_of_text()
    assert replay(TEXT, ALL) == match
    assert replay(parse(TEXT), ALL).events == match.events


def test_comments_blank_lines_and_line_ends_do_not_matter() -> None:
    silent = "\n".join(line.split("  #")[0] for line in TEXT.splitlines())
    assert replay(silent, ALL) == match_of_text()
    assert replay("# a match\n\n" + TEXT.replace("\n", "\r\n") + "\n\n", ALL) == match_of_text()
    text = write(match_of_text(), WORDS).replace("\n", " \r\n").encode("utf-8-sig")
    assert replay(text + b"\r\n", ALL) == match_of_text()


def test_forced_answers_stand_in_brackets_and_may_be_left_out() -> None:
    match, text = forced_match()
    forced = [answer for commit in match.commits for answer in commit.answers if answer.forced]
    assert forced
    assert text.count("(") == len(forced)
    text = (
        text.replace("(left) ", "")
        .replace("(right) ", "")
        .replace(" (left)", "")
        .replace(" (right)", "")
    )
    assert "(" not in text
    assert replay(text, ALL) == match


def forced_match() -> tuple[Match, str]:
    """Return a match in which a seat had no choice."""
    for seed in range(50):
        match = play_out(new_match("toy", 2, seed=seed), Random(seed))
        text = text_of(match)
        if "(" in text:
            return match, text
    raise AssertionError("nobody was ever forced")


def test_brackets_around_a_choice_are_malformed() -> None:
    match, text = forced_match()
    assert replay(text, ALL) == match
    with pytest.raises(Malformed, match="wasn't the only possible answer"):
        replay(TEXT.replace("3 p2 c4+c5", "3 p2 (c4)"), ALL)


def test_no_keys_at_all_are_written_as_a_dash() -> None:
    with pytest.raises(Malformed, match="Choose 1 to 2, not 0"):
        replay(TEXT.replace("c4+c5", "-"), ALL)


def test_a_seat_change_is_written_and_replayed() -> None:
    match = match_of_text().hand_over(P1, to_computer=True).hand_over(P3, to_computer=False)
    match = match.hand_over(P1, to_computer=False).resign(P2).hand_over(P2, to_computer=False)
    text = write(match, WORDS)
    assert [line for line in bare(text) if line.startswith("computer ")] == ["computer p3 -"], (
        "as it began"
    )
    lines = [
        "4 p1 handed to computer",
        "5 p3 handed to person",
        "6 p1 handed to person",
        "7 p2 resigns",
    ]
    assert bare(text)[-7:] == [*lines, "8 p2 handed to person", "open 8", "seed 40c"]
    assert replay(text, ALL) == match and match.humans() == (P1, P2, P3)
    for line in (
        "4 p3 handed to computer",
        "4 p2 handed to person",
        "4 p1 handed to nobody",
        "4 p1 handed",
    ):
        with pytest.raises(Malformed):
            replay(TEXT.replace("open 3", f"{line}\nopen 4"), ALL)


def test_resignations_and_the_end_are_written() -> None:
    match = match_of_text().resign(P1)
    text = write(match, WORDS)
    assert bare(text)[-3:] == ["4 p1 resigns", "end resigned 0 0 0", "seed 40c"]
    assert replay(text, ALL) == match


@pytest.mark.parametrize(
    "note",
    ["plain words", ' "quoted" ', "two\nlines", "a  # b", "\u2028\x85\x0c", '"', " ", "\\n", "ā"],
)
def test_settings_and_seeds_of_any_text_survive(note: str) -> None:
    match = begin(TOY, 2, {"note": note}, seed=note)
    assert replay(write(match, WORDS), ALL) == match


def test_a_setting_set_to_nothing_is_written_where_that_is_not_its_default() -> None:
    match = begin(TOY, 2, {"note": ""})
    assert "set note" not in write(match, WORDS)


def test_a_match_without_its_beginning_cannot_be_written() -> None:
    match = load(snapshot(match_of_text()), ALL)
    with pytest.raises(Malformed, match="doesn't go back to its start"):
        write(match, WORDS)


def test_the_words_of_the_catalog_are_the_default() -> None:
    match = play_out(new_match("blue_lagoon", 2), Random(1), commits=1)
    assert write(match) == write(match, words_for(match.game))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("motu transcript 1", "motu transcript 2"),
        ("motu transcript 1", "motu transcript 3"),
        ("motu transcript 1\n", ""),
        ("game toy 3", "game chess 3"),
        ("game toy 3", "game toy 4"),
        ("game toy 3", "game toy 0"),
        ("game toy 3", "game toy"),
        ("game toy 3\n", ""),
        ("game toy 3\n", "game toy 3\ngame toy 3\n"),
        ("seats 3", "seats 9"),
        ("seats 3", "seats many"),
        ("seats 3", "seats " + "9" * 5000),
        ("set rounds 2", "set rounds 7"),
        ("set rounds 2", "set rounds"),
        ("set rounds 2", 'set rounds "2'),
        ("computer p3", "computer p9"),
        ("computer p3", "computer p0"),
        ("computer p3", "computer"),
        ("seed 40c\n", ""),
        ("seed 40c", "seed 40d"),
        ("seed 40c", 'seed "\\x"'),
        ("1 p1 c10", "1 p1 c11"),
        ("1 p1 c10", "1 p0 c10"),
        ("1 p1 c10", "1 p9 c10"),
        ("1 p1 c10", "1 p1"),
        ("1 p1 c10", "2 p1 c10"),
        ("1 p1 c10", "1 p1 c10 c10"),
        ("1 p1 c10", "1 p1 resigns now"),
        ("throw_net/p2", "throw_net/p9"),
        ("throw_net/p2", "throw_nut/p2"),
        ("throw_net/p2", "p2"),
        ("3 p2 c4+c5", "3 p3 resigns"),
        ("3 p2 c4+c5", "3 p2 c4+c4"),
        ("3 p2 c4+c5", "nonsense"),
        ("open 3", "open 4"),
        ("open 3", "end rounds_over 0 0 0"),
        ("open 3\n", ""),
        (TEXT, ""),
    ],
)
def test_a_text_that_is_not_a_transcript_is_malformed(old: str, new: str) -> None:
    assert old in TEXT
    replay(TEXT, ALL)
    with pytest.raises(Malformed):
        replay(TEXT.replace(old, new, 1), ALL)


@pytest.mark.parametrize("game_id", ALL)
def test_a_transcript_cut_anywhere_is_malformed(game_id: str) -> None:
    match = play_out(new_match(game_id, 2, seed="cut"), Random("cut"), commits=6)
    text = write(match, words_for(match.game)).rstrip("\n")
    for size in range(len(text)):
        with pytest.raises(Malformed):
            replay(text[:size], ALL)


@pytest.mark.parametrize("game_id", ALL)
def test_a_mutated_transcript_replays_or_is_malformed_and_nothing_else(game_id: str) -> None:
    rng = Random(game_id)
    match = play_out(new_match(game_id, 2, seed="mutated"), Random("mutated"), commits=6)
    for text in (text_of(match), write(match, words_for(match.game))):
        for _ in range(300):
            place = rng.randrange(len(text))
            junk = rng.choice(
                [
                    "",
                    "#",
                    "\n",
                    "+",
                    "/",
                    "(",
                    ")",
                    "-",
                    "p",
                    "9",
                    "²",
                    "é",
                    "\x00",
                    '"',
                    " ",
                    "resigns",
                ]
            )
            try:
                replay(text[:place] + junk + text[place + rng.randrange(3) :], ALL)
            except Malformed as error:
                assert error.line and f"Line {error.line}: " in str(error)


def test_private_events_name_their_audience() -> None:
    text = write(replay((TRANSCRIPTS / "conquest" / "two-seats.txt").read_text(encoding="utf-8")))
    assert "\n    To P1: Battle cards from now on: use face-up ones.\n" in text
    assert "\n    Battle cards from now on" not in text


def test_a_transcript_of_version_2_stays_readable() -> None:
    played = check((TRANSCRIPTS / "version-2.txt").read_text(encoding="utf-8"))
    match = played.match
    assert match.outcome is not None and match.number == 13 and match.reseeds == ("2b1d",)
    assert [chair.name for chair in played.script.about.chairs] == ["Ana", '"Ben"  = 0', "Moana ⚙"]


EARLIER_WORDS = sorted(TRANSCRIPTS.glob("earlier-words-*.txt"))
"""Transcripts that were written before the texts of all games were reworded."""


def test_a_transcript_names_the_version_of_its_words() -> None:
    told = " ".join(write(match_of_text(), WORDS).split())
    assert "tell the match in words (English, version 5)" in told


@pytest.mark.parametrize("path", EARLIER_WORDS, ids=lambda path: path.stem)
def test_a_transcript_in_earlier_words_still_checks_out(path: Path) -> None:
    played = check(path.read_text(encoding="utf-8"))
    assert played.match.outcome is not None and played.match.number == 13
    assert played.reworded, "it was not written anew"


@pytest.mark.parametrize("path", EARLIER_WORDS, ids=lambda path: path.stem)
def test_a_change_of_earlier_words_is_found(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    explained = 0
    for place, line in enumerate(lines):
        if not line.startswith(" "):
            explained = place + 1
            continue
        changed = [*lines[:place], line + "!", *lines[place + 1 :]]
        with pytest.raises(Malformed) as refused:
            check("\n".join(changed))
        assert refused.value.line in (explained, place + 1), line


# A line that is damaged is named.


def eventful(game_id: str) -> tuple[Match, str]:
    """Return a match with everything that can happen in one, and its transcript."""
    begun = begin(ALL[game_id], 3, shortest(ALL[game_id]), seed="40c", computers=frozenset({P3}))
    early = play_out(begun, Random(game_id), commits=2)
    match = play_out(early, Random(game_id), commits=3).back_to(early, P2, "2b1d")
    match = (
        play_out(match, Random(game_id), commits=2)
        .hand_over(P1, to_computer=True)
        .hand_over(P1, to_computer=False)
    )
    match = play_out(match, Random(game_id), commits=2).resign(P2)
    about = About(
        match="k3f9",
        ended="2026-11-17",
        seals=tuple(commitment("k3f9", seed) for seed in ("40c", "2b1d")),
        chairs=(Chair("Ana"), Chair('"Ben"  = 0'), Chair("Moana ⚙", "steady")),
        comings=(NewPlayer(9, P1, "Dora"),),
    )
    return match, write(match, words_for(match.game), about)


@pytest.mark.parametrize("game_id", [game_id for game_id, game in ALL.items() if 3 in game.seats])
def test_every_changed_missing_repeated_or_misplaced_line_is_named(game_id: str) -> None:
    match, text = eventful(game_id)
    words, rng = words_for(match.game), Random(game_id)
    played = check(text, ALL, words)
    assert played.match == match and not played.reworded
    lines = text.split("\n")
    full = [place for place, line in enumerate(lines) if line.strip()]

    def named(damaged: list[str]) -> int:
        with pytest.raises(Malformed) as refused:
            check("\n".join(damaged), ALL, words)
        assert f"Line {refused.value.line}: " in str(refused.value)
        return refused.value.line

    for place, following in zip(full, [*full[1:], len(lines) - 1], strict=True):
        line = lines[place]
        for at in rng.sample([at for at, sign in enumerate(line) if sign != " "], 3):
            other = "7" if line[at] != "7" else "a"
            changed = [*lines[:place], line[:at] + other + line[at + 1 :], *lines[place + 1 :]]
            assert named(changed) == place + 1, changed[place]
        # If a line is lost, the line that now stands there is named, or the one it belonged to.
        block_ends = next(
            (at for at in full if at > following and not lines[at].startswith(" ")), len(lines)
        )
        assert place <= named(lines[:place] + lines[place + 1 :]) <= block_ends, line
        assert place + 1 <= named([*lines[: place + 1], *lines[place:]]) <= place + 2, line
        if following < len(lines) - 1 and lines[following] != line:
            swapped = list(lines)
            swapped[place], swapped[following] = swapped[following], swapped[place]
            assert place + 1 <= named(swapped) <= following + 2, line


def test_an_error_in_a_line_is_explained() -> None:
    _, text = eventful("maori")
    seal, seed = commitment("k3f9", "40c"), "seed 40c "
    sealed = next(number for number, line in enumerate(text.splitlines(), start=1) if seal in line)
    for old, new, why in (
        (
            seed,
            "seed 40d ",
            f"isn't the seed that was locked in.* line {sealed}",
        ),
        ("with seed 2b1d", "with seed 2b1e", "isn't the seed that was locked in"),
        ("\nend resigned", "\nend stalled", "replayed, comes to 'end resigned"),
        ("game maori", "game chess", "unknown game: 'chess'"),
        ("game maori 1", "game maori 99", "version 99 of Maori"),
        ("transcript 2", "transcript 3", "version 3, but this version of Motu only reads 1 to 2"),
        ("\n2 p", "\n4 p", "Move 4 can't follow move 1"),
        ("set rules basic", "set rules wild", "This line or the text below it was changed"),
    ):
        assert old in text, old
        with pytest.raises(Malformed, match=why):
            replay(text.replace(old, new, 1))
    for cut in (1, 300, len(text) // 2, len(text) - 20):
        with pytest.raises(Malformed) as refused:
            replay(text[:cut])
        assert refused.value.line <= text[:cut].count("\n") + 1


def test_without_a_seal_a_wrong_seed_is_noticed_by_its_deal() -> None:
    text = write(play_out(new_match("maori", 2), Random(1), commits=2))
    at = next(
        number for number, line in enumerate(text.splitlines(), start=1) if line.startswith("seed ")
    )
    with pytest.raises(Malformed, match="isn't the seed of this match") as refused:
        replay(text.replace("\nseed 0 ", "\nseed 1 "))
    assert refused.value.line == at


def test_reworded_texts_are_not_reported_as_damage() -> None:
    match = match_of_text()
    text = write(match, WORDS)
    assert not check(text, ALL, WORDS).reworded
    played = check(text, ALL, Words({**WORDS.text, "event": {}}))
    assert played.match == match and played.reworded
    told = next(line for line in text.splitlines() if "throws a net" in line)
    with pytest.raises(
        Malformed,
        match="This says 'P3 throws a wet over P2', but it should say 'P3 throws a net",
    ):
        check(text.replace(told, told.replace("net", "wet")), ALL, WORDS)


def test_the_positions_of_other_rules_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of_text()
    text = write(match, WORDS, rules=2)
    assert "game toy 2 3 " in text and replay(text, ALL, WORDS) == match
    monkeypatch.setattr(type(TOY), "version", 4)
    monkeypatch.setattr(story, "position_mark", lambda match: "0" * 8)
    assert replay(text, ALL, WORDS) == match


@pytest.mark.parametrize(
    "text", [None, 5, object(), b"\xff\xfe", TEXT.replace("40c", "\ud800"), TEXT.encode("utf-16")]
)
def test_binary_data_is_malformed(text: object) -> None:
    with pytest.raises(Malformed):
        replay(text, ALL)


def test_a_transcript_may_be_read_from_the_bytes_of_a_file() -> None:
    assert replay(TEXT.encode(), ALL) == match_of_text()


def test_a_transcript_after_the_end_goes_no_further() -> None:
    text = text_of(match_of_text().resign(P1)).replace("end ", "5 p2 resigns\nend ")
    with pytest.raises(Malformed, match="over"):
        replay(text, ALL)


def test_an_excessively_long_text_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation, "MAX_CHARACTERS", len(TEXT))
    parse(TEXT)
    with pytest.raises(Malformed):
        parse(TEXT.replace("open", "\n\nopen"))
