"""Panels with advice: hints, and the coach's comments in a first match.

A hint says what to do and why, and has a button for each turn that is about as good. In the middle
of a turn it says how to continue. The coach teaches one idea at a time, and marks the choices that
are good now. Reviews describe turns and comparisons with the same functions.

What is good is decided in engine/players; here it is only put into words and buttons.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from bot.features.play.panel import (
    END,
    HINT,
    LESSON,
    OFFER,
    PLAY_ON,
    RESTART,
    TAKE,
    Advice,
    Panel,
    SeatContext,
    build_panel,
)
from bot.kernel.encoding import visible_events
from bot.kernel.room import Room
from bot.text import and_list, or_list, say
from bot.ui import CONTENT, CUSTOM_ID, GOOD, Button, cut, describe
from engine import Answer, Commit, Decision, Match, Seat
from engine.core.perspective import find_spots
from engine.core.words import Words
from engine.players import Thought
from engine.players.advice import (
    Choice,
    Gain,
    compare,
    find_choices,
    find_effects,
    find_next_option,
    list_gains,
    list_reasons,
    list_suggestions,
)
from engine.players.lesson import find_idea, is_lesson_over
from engine.players.mind import Effect, mind_of

MAX_REASONS = 2
"""How many reasons a hint gives for a turn."""
MAX_TURN_STEPS = 8
"""How many steps of a turn a hint lists."""
MAX_NAMED_STEPS = 3
"""How many steps name a turn that is compared with another."""
MAX_LABEL = 38
"""How many characters of a button's label a phone shows in full."""
MIN_WINNING_POINTS = 1.0
"""How many points of a lead must come from winning for the text to say 'likelier to win'."""
MIN_CLEAR_POINTS = 3.0
"""How many points ahead a turn is called clearly better, where the number is not given."""
MIN_SHARED_WORDS = 2
"""How many first words reasons must share to be merged into one."""
COLON = ": "
NOTE = re.compile(r"[:,]| \(")
"""The separator between a choice and what it brings, in the label of a button."""
NOTE_SIGNS = ":, "
"""The signs of a separator."""
DETAILS = re.compile(r" \([^()]*\)")
"""Details in the text of an event, such as what is on a tile."""
MAX_NEWS_CHARACTERS = 90
"""How long the line about what happened since the last turn of a lesson may be."""
MAX_COACH_WORDS = 45
"""How many words a coach may say in a panel, signs included."""


# Describe turns.


def shorten_steps(labels: Sequence[str], most: int) -> Sequence[str]:
    """Return the first steps of a turn, followed by a note if there are more."""
    return labels if len(labels) <= most else [*labels[:most], say("lesson.more")]


def merge_repeats(steps: Sequence[str]) -> list[str]:
    """Merge consecutive equal steps into one that says how often."""
    merged = []
    for step, repeats in groupby(steps):
        number = len(list(repeats))
        merged.append(say("hint.times", step=step, number=number) if number > 1 else step)
    return merged


def merge_beginnings(reasons: Sequence[str]) -> list[str]:
    """Merge reasons that begin with the same words: 'helps complete islands and leis'."""
    words = [reason.split() for reason in reasons]
    shared = 0
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        shared += 1
    if len(reasons) < 2 or shared < MIN_SHARED_WORDS:
        return list(reasons)
    endings = and_list(" ".join(each[shared:]) for each in words)
    return [" ".join((*words[0][:shared], endings))]


def describe_turn(
    context: SeatContext, turn: Sequence[Answer], known: Sequence[Answer] = ()
) -> str:
    """Describe a turn in a sentence, leaving out the first steps that it shares with `known`."""
    steps = merge_repeats(context.tell_turn(turn, known))
    return and_list(shorten_steps(steps, MAX_TURN_STEPS))


def name_turn(context: SeatContext, turn: Sequence[Answer], known: Sequence[Answer]) -> str:
    """Name a turn by what it does differently from the `known` one it is compared with."""
    return and_list(merge_repeats(context.name_turn(turn, known))[:MAX_NAMED_STEPS])


def describe_lead(behind: float, bonus: float) -> dict[str, Any]:
    """Return the facts for a text about how much better a turn is than another.

    The other turn is `behind` by this many points, of which `bonus` are for a better chance to win.
    """
    points = round(behind - bonus)
    return {
        "points": points if points > 0 else None,
        "clearly": behind >= MIN_CLEAR_POINTS,
        "wins": bonus >= MIN_WINNING_POINTS,
    }


def describe_reasons(
    context: SeatContext, turn: Sequence[Answer], rival: Sequence[Answer], gains: Sequence[str]
) -> list[str]:
    """Return why a turn is better than a rival: by its effects, or by where points come from.

    `gains` are the parts of the estimate in which it is ahead. Without a rival, return its effects.
    """
    effects = find_effects(context.match, context.seat, turn)
    rival_effects = find_effects(context.match, context.seat, rival)
    reasons = list_reasons(effects, rival_effects, gains)[:MAX_REASONS]
    # What can be seen on the board comes first.
    reasons.sort(key=lambda reason: isinstance(reason, str))
    texts = []
    for reason in reasons:
        if isinstance(reason, str):
            texts.append(context.words.estimate_part(reason))
        else:
            texts.append(context.words.effect(reason.key, dict(reason.facts)))
    if not texts:
        texts = context.explain_turn(turn, rival or context.draft.answers)
    # Two parts of the points may have the same words.
    return merge_beginnings(list(dict.fromkeys(texts))[:MAX_REASONS])


def _make_offer_button(context: SeatContext, offer: Answer) -> Button | None:
    """Make a green button that takes an offer; None if its custom id would be too long."""
    custom_id = context.make_custom_id(OFFER, offer.kind, "+".join(offer.keys))
    if len(custom_id) > CUSTOM_ID:
        return None
    turn = and_list(context.tell_turn((offer,), on_button=True))
    return Button(custom_id, say("hint.take", turn=turn), GOOD)


# Hints.


def build_hint(
    room: Room,
    seat: Seat,
    thought: Thought,
    coached: Thought | None = None,
    log: Sequence[Commit] = (),
) -> Panel:
    """Build a seat's panel with a hint, and rings around the spots of the rest of the turn.

    In a lesson the coach's own advice stays; it is built from `coached` and `log`.
    """
    context = SeatContext.of(room, seat)
    if context.question is None:
        return build_panel(room, seat)
    if offer := thought.offer:
        _, spots = context.label_turn((offer,))
        lines = [say("hint.offer", turn=describe_turn(context, (offer,)))]
        hint = Advice(spots=spots, offer_button=_make_offer_button(context, offer))
    else:
        lines = _describe_hint(context, thought)
        hint = _mark_hint(context, thought)
    notice = cut("\n".join(lines), CONTENT // 2)
    if room.record.terms.lesson:
        return build_lesson(room, seat, log, notice=notice, thought=coached, hint=hint)
    return build_panel(room, seat, notice=notice, advice=hint)


def _describe_hint(context: SeatContext, thought: Thought) -> list[str]:
    """Return the sentences of a hint: what to do and why, what else is as good, what is better."""
    best, *others = list_suggestions(context.match, thought)
    drafted = context.draft.answers
    turns = [turn for turn in thought.ranked if not turn.is_offer]
    worse = compare(turns).worse if turns else None
    # In games of chance, whose evaluation has a margin, the figures are too rough to be shown.
    is_rough = mind_of(context.match.game).switch_margin > 0
    if worse is None or (is_rough and worse.samples < turns[0].samples):
        why = describe_reasons(context, best, (), ())
    else:
        why = describe_reasons(context, best, worse.answers, list_gains(worse))
        lead = describe_lead(worse.behind, worse.bonus_behind)
        if is_rough:
            lead["points"] = None
        why.append(say("hint.worth", **lead, other=name_turn(context, worse.answers, best)))
    lines = [say("hint.turn", turn=describe_turn(context, best, drafted), why=and_list(why))]
    if others:
        names = [name_turn(context, turn, best) for turn in others]
        lines.append(say("hint.alike", others=or_list(names)))
    if better := thought.restart:
        turn = describe_turn(context, better.answers)
        points = None if is_rough else round(thought.restart_points)
        lines.append(say("hint.restart", points=points, turn=turn))
    return lines


def _mark_hint(context: SeatContext, thought: Thought) -> Advice:
    """Return the green buttons and rings of a hint.

    Turns that need one more choice are played by the buttons of their options, others as a whole.
    """
    match, seat = context.match, context.seat
    suggested = list_suggestions(match, thought)
    options = [find_next_option(match, seat, turn) for turn in suggested]
    drafted_count = len(context.draft.answers)
    buttons: list[Button] = []
    question = context.question
    # Where several or none may be chosen there is a menu instead of a button for each option.
    is_single = question is not None and question.at_least == question.at_most == 1
    is_single = is_single and all(options)
    for turn in suggested:
        remaining = [answer for answer in turn[drafted_count:] if not answer.forced]
        is_single = is_single and len(remaining) == 1
    if not is_single:
        buttons.append(_make_turn_button(context, TAKE, say("hint.take_turn")))
        for number, turn in enumerate(suggested[1:], start=2):
            label = _label_turn(context, turn, suggested[0])
            buttons.append(_make_turn_button(context, f"{TAKE}{number}", label))
        # The other turns may begin with the same option. Their buttons draft them as a whole.
        del options[1:]
    if thought.restart:
        buttons.append(_make_turn_button(context, RESTART, say("hint.take_restart")))
    _, spots = context.label_turn(suggested[0])
    _, drafted_spots = context.label_turn(suggested[0][:drafted_count])
    return Advice(
        keys=tuple(option.key for option in options if option),
        spots=tuple(spot for spot in spots if spot not in drafted_spots) or spots,
        turn_buttons=tuple(buttons),
    )


def _make_turn_button(context: SeatContext, key: str, label: str) -> Button:
    return Button(context.make_custom_id(HINT, key=key), label, GOOD)


def _label_turn(context: SeatContext, turn: Sequence[Answer], best: Sequence[Answer]) -> str:
    """Return the label of a turn that is as good as the best: the first step that differs."""
    step = context.tell_turn(turn, best, on_button=True)[0]
    label = say("hint.take_other", turn=step)
    if len(label) <= MAX_LABEL:
        return label
    return say("hint.take_other", turn=context.label_difference(turn, best))


def find_hinted_turn(match: Match, thought: Thought, key: str) -> tuple[Answer, ...]:
    """Return the turn that a button of a hint drafts."""
    if key == RESTART and thought.restart:
        return thought.restart.answers
    suggested = list_suggestions(match, thought)
    digits = key.removeprefix(TAKE)
    index = int(digits) - 1 if digits.isdecimal() else 0
    return suggested[min(index, len(suggested) - 1)]


# Lessons.


def needs_thought(context: SeatContext) -> bool:
    """Whether the coach needs a computer's thought to comment on a seat's panel."""
    if context.asked is None:
        return False
    return bool(context.draft.answers) or not is_lesson_over(context.match, context.seat)


def build_lesson(
    room: Room,
    seat: Seat,
    log: Sequence[Commit],
    page: str = "",
    notice: str = "",
    thought: Thought | None = None,
    is_thinking: bool = False,
    hint: Advice | None = None,
) -> Panel:
    """Build a seat's panel with what a coach teaches, and with the good choices marked.

    The log begins with the set-up and has no commits that were undone. `thought` is the computer's
    opinion of the turn; with `is_thinking` it will follow later, and the panel says so. What a
    `hint` marks is marked as well.
    """
    context = SeatContext.of(room, seat)
    question, is_fresh = context.asked, not context.draft.answers
    if is_fresh and context.is_playing and is_lesson_over(context.match, seat):
        return _build_farewell(context)
    if is_fresh:
        notice = notice or _tell_news(context, log)
    if question is None:
        return build_panel(room, seat, page, notice)
    advice = Advice(idea=find_idea(context.words, context.match, seat, log))
    if is_thinking:
        advice = replace(advice, good=say("lesson.thinking"))
    elif thought and thought.offer and is_fresh:
        good = say("hint.offer", turn=describe_turn(context, (thought.offer,)))
        button = _make_offer_button(context, thought.offer)
        advice = replace(advice, good=good, offer_button=button)
    elif thought and (choices := find_choices(context.match, seat, thought)):
        options = [choice.option for choice in choices]
        advice = replace(
            advice,
            good=_describe_choices(context, question, choices, advice.idea),
            keys=tuple(option.key for option in options),
            spots=find_spots(options) or None,
        )
    elif not is_fresh and not hint:
        advice = replace(advice, good=say("lesson.other"))
    return build_panel(room, seat, page, notice, _add_hint(advice, hint) if hint else advice)


def _add_hint(advice: Advice, hint: Advice) -> Advice:
    """Add what a hint marks to the coach's advice."""
    return replace(
        hint,
        idea=advice.idea,
        good=advice.good,
        keys=tuple(dict.fromkeys((*hint.keys, *advice.keys))),
        spots=tuple(dict.fromkeys((*(hint.spots or ()), *(advice.spots or ())))),
    )


def _tell_news(context: SeatContext, log: Sequence[Commit]) -> str:
    """Return in one line what happened since the seat's last turn, or else what that turn did."""
    turns = [number for number, commit in enumerate(log) if commit.seat == context.seat]
    last = max(turns, default=0)
    # The first commit is the set-up.
    since = log[last + 1 :] or log[max(last, 1) :]
    events = [event for event in visible_events(since, context.seat) if not event.shows_on_board]
    # If it is too long, leave out first the consequences, which the board shows, then the details,
    # then the earliest actions.
    actions = [event for event in events if hasattr(event, "seat")]
    news = ""
    for selected in (events, actions, *(actions[first:] for first in range(1, len(actions)))):
        story = " ".join(describe.tell_events(context.room, selected, context.seat))
        for news in (story, DETAILS.sub("", story)):
            if len(news) <= MAX_NEWS_CHARACTERS:
                return news
    return cut(news, MAX_NEWS_CHARACTERS)


def _build_farewell(context: SeatContext) -> Panel:
    """Build the panel that ends a lesson: the points, what to try next, and whether to play on."""
    ends = context.words.farewell(context.marked, context.view.scores)
    text = say("lesson.over", ends=ends, next=list_next_steps(context.words))
    controls = (
        Button(context.make_custom_id(LESSON, key=PLAY_ON), say("lesson.play_on"), GOOD),
        Button(context.make_custom_id(LESSON, key=END), say("lesson.end")),
    )
    return Panel(context, text, controls=controls, with_scores=True)


def list_next_steps(words: Words) -> str:
    """Return what to try after a lesson, a line for each."""
    return "\n".join(say("lesson.next", what=what) for what in words.next_steps())


def _describe_choices(
    context: SeatContext, question: Decision, good_choices: Sequence[Choice], idea: str
) -> str:
    """Name the good choices, with what they gain in a few words.

    If that is too much beside the `idea`, what is good about a choice in general is left out, then
    what the last ones gain.
    """
    told = _tell_choices(context, question, good_choices, len(good_choices), in_general=True)
    number = len(good_choices)
    while number and len(f"{idea} {told}".split()) > MAX_COACH_WORDS:
        told = _tell_choices(context, question, good_choices, number, in_general=False)
        number -= 1
    return told


def _tell_choices(
    context: SeatContext,
    question: Decision,
    good_choices: Sequence[Choice],
    number: int,
    in_general: bool,
) -> str:
    """Name choices, and say of this `number` of them what they gain."""
    effects = [find_effects(context.match, context.seat, each.turn) for each in good_choices]
    if context.draft.answers:
        # Effects that all ways to finish the turn share were given when it began.
        shared_effects = [one for one in effects[0] if all(one in each for each in effects)]
        effects = [[one for one in each if one not in shared_effects] for each in effects]
    labels = [context.label(question, option, brief=True) for option in question.options]
    by_gain: dict[str, list[str]] = {}
    for place, (each, its_effects) in enumerate(zip(good_choices, effects, strict=True)):
        gain = _describe_gain(context.words, each.gain, its_effects)
        if in_general or len(good_choices) == 1:
            gain = gain or context.explain_step(question, each.option)
        label = context.label(question, each.option, brief=True)
        # The label on its button has the rest.
        name = _shorten_label(label, labels)
        note = label.removeprefix(name).lstrip(NOTE_SIGNS)
        is_placed = context.draft.answers and each.option.spot
        if is_placed and not its_effects and not note.startswith("("):
            # In the midst of a turn, what the button says is more than where points come from.
            gain = note or gain
        if not gain and len(good_choices) == 1:
            name, _, gain = label.partition(COLON)
        elif each.option.spot:
            name = name.replace(COLON, " ")
        by_gain.setdefault(gain if place < number else "", []).append(name)
    choices = [
        say("lesson.choice", choices=or_list(names), gain=gain) for gain, names in by_gain.items()
    ]
    # Explain the green buttons and the rings once, with the first question of the lesson.
    is_first = not context.match.turn(context.seat)
    return say(
        "lesson.good",
        choices=say("lesson.or").join(choices),
        green=is_first and question.at_least == question.at_most == 1,
        ringed=is_first and any(each.option.spot for each in good_choices),
    )


def _describe_gain(words: Words, gain: Gain | None, effects: Sequence[Effect]) -> str:
    """Return what a choice is good for: its effect on the board, or where points come from."""
    if gain and not gain.is_later:
        effects = [effect for effect in effects if effect.part == gain.part]
    if effects:
        return words.effect(effects[0].key, dict(effects[0].facts))
    return words.estimate_part(gain.part) if gain else ""


def _shorten_label(label: str, labels: Sequence[str]) -> str:
    """Return the shortest beginning of a label that no other has: 'G7' of 'G7: settler'."""
    for note in NOTE.finditer(label):
        beginning = label[: note.start()]
        same_beginning = [
            other
            for other in labels
            if other.startswith(beginning) and NOTE.match(other + ":", len(beginning))
        ]
        if len(same_beginning) == 1:
            return beginning
    return label
