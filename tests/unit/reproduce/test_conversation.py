import itertools

from labagent.reproduce.conversation import Conversation

BEGINNING = [{"role": "system", "content": "s" * 200}, {"role": "user", "content": "t" * 400}]


def size(messages):
    return sum(len(m["content"]) for m in messages) // 2 + 200


def talk(limit, turns, answer="o" * 20_000):
    conversation = Conversation(BEGINNING, size, limit)
    sent = []
    for number in range(1, turns + 1):
        conversation.add(f"reply {number} " + "r" * 300, f"{number}: {answer}", f"(turn {number} left out)")
        sent.append(conversation.messages())
    return conversation, sent


def test_two_hundred_long_turns_fit_a_small_window():
    conversation, sent = talk(8_000, 200)
    assert all(size(messages) <= 8_000 for messages in sent)
    assert all(messages[0] == BEGINNING[0] for messages in sent)
    assert all(messages[1]["content"].startswith(BEGINNING[1]["content"]) for messages in sent)
    assert "200: ooo" in sent[-1][-1]["content"], "the last answer is always there"
    assert conversation.shrunk < 200


def test_roles_alternate_whatever_is_left_out():
    for messages in talk(4_000, 60)[1]:
        roles = [m["role"] for m in messages]
        assert roles == ["system", "user"] + ["assistant", "user"] * ((len(roles) - 2) // 2)


def test_requests_share_their_beginning_between_two_shrinkings():
    conversation, sent = talk(20_000, 60, answer="o" * 1000)
    kept = [after[: len(before)] == before for before, after in itertools.pairwise(sent)]
    assert kept.count(False) == conversation.shrunk
    assert conversation.shrunk <= 8


def test_stubs_come_before_anything_is_dropped():
    _, sent = talk(8_000, 8, answer="o" * 2000)
    texts = [m["content"] for m in sent[-1]]
    assert "(turn 1 left out)" in texts
    assert not [t for t in texts if t.startswith("1: ")]


def test_a_long_answer_keeps_head_and_tail():
    conversation = Conversation(BEGINNING, size, 8_000)
    conversation.add("r", "HEAD" + "x" * 50_000 + "TAIL", "stub")
    text = conversation.messages()[-1]["content"]
    assert text.startswith("HEAD") and text.endswith("TAIL") and "characters left out" in text
