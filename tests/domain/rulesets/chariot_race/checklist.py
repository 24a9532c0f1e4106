"""Every numbered rule, settled fact and worked example of Chariot Race. Each has a test that is marked with it."""

RULES = tuple(
    f"CR-{number:02}"
    for numbers in ((1, 4), (10, 12), (20, 36), (40, 43), (50, 55), (60, 67), (70, 72))
    for number in range(numbers[0], numbers[1] + 1)
)
FACTS = tuple(f"RO-{number}" for number in range(1, 21))
EXAMPLES = tuple(f"RT-{number}" for number in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 15, 17, 18))
ALL_GAMES = tuple(f"XG-{number:02}" for number in range(1, 11))

CHECKLIST = RULES + FACTS + EXAMPLES + ALL_GAMES
