"""A match as text and back."""

from random import Random

import pytest

from engine import Malformed, Match, begin, load, snapshot
from engine.core import transcript
from engine.core.transcript import Line, parse, replay, write
from tests.contract.games import ALL, new_match, words_for
from tests.contract.player import play_out
from tests.toy import TOY, WORDS
from tests.toy.scenes import P1, P2, P3, pick, turn

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


def match_of_text() -> Match:
    """The match that TEXT tells."""
    match = begin(TOY, 3, seed="40c", computers=frozenset({P3}))
    match = pick(turn(match, P1, "c10"), P3, "throw_net/p2")
    return turn(match, P2, "c4+c5")


def test_a_match_is_written_a_line_a_commit() -> None:
    assert write(match_of_text(), WORDS) == TEXT


def test_a_transcript_is_parsed_into_its_parts() -> None:
    script = parse(TEXT)
    assert (script.game, script.version, script.seats, script.seed) == ("toy", 3, 3, "40c")
    assert dict(script.settings) == {"rounds": "2", "storms": "on"}
    assert script.computers == (P3,)
    assert script.lines[2] == Line(3, P2, ("c4+c5",))
    assert script.last == "open 3"


def test_a_transcript_is_replayed_to_an_equal_match() -> None:
    match = match_of_text()
    assert replay(TEXT, ALL) == match
    assert replay(parse(TEXT), ALL).events == match.events


def test_comments_blank_lines_and_line_ends_do_not_matter() -> None:
    bare = "\n".join(line.split("  #")[0] for line in TEXT.splitlines())
    assert replay(bare, ALL) == match_of_text()
    assert replay("# a match\n\n" + TEXT.replace("\n", "\r\n") + "\n\n", ALL) == match_of_text()


def test_forced_answers_stand_in_brackets_and_may_be_left_out() -> None:
    match, text = forced_match()
    forced = [answer for commit in match.commits for answer in commit.answers if answer.forced]
    assert forced
    assert text.count("(") == len(forced)
    bare = text.replace("(left) ", "").replace("(right) ", "").replace(" (left)", "").replace(" (right)", "")
    assert "(" not in bare
    assert replay(bare, ALL) == match


def forced_match() -> tuple[Match, str]:
    """A match in which somebody had no choice."""
    for seed in range(50):
        match = play_out(new_match("toy", 2, seed=seed), Random(seed))
        text = write(match, WORDS)
        if "(" in text:
            return match, text
    raise AssertionError("nobody was ever forced")


def test_brackets_around_a_choice_are_malformed() -> None:
    match, text = forced_match()
    assert replay(text, ALL) == match
    with pytest.raises(Malformed, match="not the only possible answer"):
        replay(TEXT.replace("3 p2 c4+c5", "3 p2 (c4)"), ALL)


def test_no_keys_at_all_are_written_as_a_dash() -> None:
    with pytest.raises(Malformed, match="Choose 1 to 2, not 0"):
        replay(TEXT.replace("c4+c5", "-"), ALL)


def test_a_seat_that_changes_hands_is_told_and_replayed() -> None:
    match = match_of_text().hand_over(P1, to_computer=True).hand_over(P3, to_computer=False)
    match = match.hand_over(P1, to_computer=False).resign(P2).hand_over(P2, to_computer=False)
    text = write(match, WORDS)
    assert "computer p3\n" in text and "computer p1" not in text, "as it began"
    lines = ["4 p1 handed to computer", "5 p3 handed to person", "6 p1 handed to person", "7 p2 resigns"]
    assert text.endswith("\n".join([*lines, "8 p2 handed to person", "open 8", ""]))
    assert replay(text, ALL) == match and match.humans() == (P1, P2, P3)
    for line in ("4 p3 handed to computer", "4 p2 handed to person", "4 p1 handed to nobody", "4 p1 handed"):
        with pytest.raises(Malformed):
            replay(TEXT.replace("open 3", f"{line}\nopen 4"), ALL)


def test_resignations_and_the_end_are_told() -> None:
    match = match_of_text().resign(P1)
    text = write(match, WORDS)
    assert text.endswith("4 p1 resigns\nend resigned 0 0 0\n")
    assert replay(text, ALL) == match


@pytest.mark.parametrize(
    "note", ["plain words", ' "quoted" ', "two\nlines", "a  # b", "\u2028\x85\x0c", '"', " ", "\\n", "ā"]
)
def test_settings_and_seeds_of_any_text_survive(note: str) -> None:
    match = begin(TOY, 2, {"note": note}, seed=note)
    assert replay(write(match, WORDS), ALL) == match


def test_a_setting_set_to_nothing_is_written_where_that_is_not_its_default() -> None:
    match = begin(TOY, 2, {"note": ""})
    assert "set note" not in write(match, WORDS)


def test_a_match_without_its_beginning_cannot_be_written() -> None:
    match = load(snapshot(match_of_text()), ALL)
    with pytest.raises(Malformed, match="does not reach back"):
        write(match, WORDS)


def test_the_words_of_the_catalog_are_the_default() -> None:
    match = play_out(new_match("blue_lagoon", 2), Random(1), commits=1)
    assert write(match) == write(match, words_for(match.game))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("motu transcript 1", "motu transcript 2"),
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
def test_what_is_no_transcript_is_malformed(old: str, new: str) -> None:
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
    text = write(match, words_for(match.game))
    for _ in range(400):
        place = rng.randrange(len(text))
        junk = rng.choice(["", "#", "\n", "+", "/", "(", ")", "-", "p", "9", "²", "é", "\x00", '"', " ", "resigns"])
        try:
            replay(text[:place] + junk + text[place + rng.randrange(3) :], ALL)
        except Malformed:
            continue


@pytest.mark.parametrize("text", [None, 5, object(), b"\xff\xfe", TEXT.replace("40c", "\ud800"), TEXT.encode("utf-16")])
def test_what_is_no_text_is_malformed(text: object) -> None:
    with pytest.raises(Malformed):
        replay(text, ALL)


def test_a_transcript_may_be_read_from_the_bytes_of_a_file() -> None:
    assert replay(TEXT.encode(), ALL) == match_of_text()


def test_a_transcript_after_the_end_goes_no_further() -> None:
    text = write(match_of_text().resign(P1), WORDS).replace("end ", "5 p2 resigns\nend ")
    with pytest.raises(Malformed, match="over"):
        replay(text, ALL)


def test_a_text_beyond_all_measure_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "LIMIT", len(TEXT))
    parse(TEXT)
    with pytest.raises(Malformed):
        parse(TEXT.replace("open", "\n\nopen"))
