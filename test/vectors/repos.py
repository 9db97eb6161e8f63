#!/usr/bin/env python3
"""Make test/vectors/repos.json: rolls of business days, day counts and interest of 10,000 random repos by QuantLib 1.44 (PyPI).

Run with `pip install QuantLib==1.44`, from the root of the repository. The repos come from a generator of 32 bits that
test/unit/repo/quantlib-vectors.test.ts has too, so that only digests of 500 results each and some samples are stored.

Interest is the year fraction of QuantLib times rate and amount. The fraction is a double, which is turned back into the fraction of days
and basis that it is the double of, so that the expected integer is exact. QuantLib rounds halves away from zero (ClosestRounding).
"doubles" counts the repos for which QuantLib's own arithmetic in doubles gives another integer: each is within the error of a double of a
half of the smallest unit, which the script asserts.
"""
import hashlib
import json
from fractions import Fraction

import QuantLib as ql

COUNT, BLOCK, CALENDARS = 10_000, 500, 100
# Serial number of 1 January 1970.
EPOCH = 25_569
# First day on which repos begin (1 January 2020), and the number of such days.
FIRST, DAYS = 18_262, 14_000
# Longest terms of repos in days, one drawn for each repo.
TERMS = [10, 100, 1_000, 3_653]
WEEKENDS = ['56', '56', '56', '4', '45', '', '012345']
CONVENTIONS = [ql.Following, ql.ModifiedFollowing, ql.Preceding]
BASES = [(360, ql.Actual360()), (365, ql.Actual365Fixed())]
# ql.Weekday of a digit of WEEKENDS, where 0 is Monday.
WEEKDAYS = [ql.Monday, ql.Tuesday, ql.Wednesday, ql.Thursday, ql.Friday, ql.Saturday, ql.Sunday]


class Generator:
    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self.state >> 8) % count


def date_of(day):
    return ql.Date(day + EPOCH)


def day_of(date):
    return date.serialNumber() - EPOCH


def calendar(generator, at):
    made = ql.BespokeCalendar(f'calendar {at}')
    for digit in WEEKENDS[generator.below(len(WEEKENDS))]:
        made.addWeekend(WEEKDAYS[int(digit)])
    for _ in range(100):
        first = FIRST + generator.below(DAYS + TERMS[-1])
        for day in range(first, first + 1 + generator.below(12)):
            made.addHoliday(date_of(day))
    return made


def half_away(value):
    size = (2 * abs(value) + 1) // 2
    return size if value >= 0 else -size


def interest_of(generator, days, start, end):
    """Integer interest; whether it was a half; whether the doubles of QuantLib round to another integer."""
    basis, counter = BASES[generator.below(2)]
    assert counter.dayCount(start, end) == days
    kind = generator.below(4)
    if kind == 0:
        # Every odd product of the three factors is a half.
        amount, rate_ppm = basis * 500 * (1 + generator.below(1_000_000)), 1_000 * (generator.below(2_001) - 1_000)
    else:
        amount = 1 + generator.below(10 ** (1 + generator.below(7)))
        for _ in range(generator.below(3)):
            amount = amount * 10_000 + generator.below(10_000)
        rate_ppm = generator.below(2_000_001) - 1_000_000 if kind == 1 else generator.below(120_001) - 20_000
    fraction = counter.yearFraction(start, end)
    exact = Fraction(fraction).limit_denominator(basis)
    assert float(exact) == fraction
    interest = amount * Fraction(rate_ppm, 1_000_000) * exact
    rounded = half_away(interest)
    assert abs(interest - rounded) <= Fraction(1, 2)
    is_half = abs(interest - rounded) == Fraction(1, 2)
    doubles = amount * (rate_ppm / 1_000_000) * fraction
    differs = int(ql.ClosestRounding(0)(doubles)) != rounded
    error = Fraction(4, 2**53) * abs(interest) + Fraction(1, 10**6)
    assert not differs or Fraction(1, 2) - abs(interest - rounded) <= error, (amount, rate_ppm, days, basis)
    return rounded, is_half, differs


def repos():
    generator = Generator(53)
    calendars = [calendar(generator, at) for at in range(CALENDARS)]
    results, halves, doubles = [], 0, 0
    for _ in range(COUNT):
        business = calendars[generator.below(CALENDARS)]
        convention = CONVENTIONS[generator.below(3)]
        first = FIRST + generator.below(DAYS)
        last = first + 1 + generator.below(TERMS[generator.below(4)])
        start, end = (business.adjust(date_of(day), convention) for day in (first, last))
        ends = [business.adjust(date_of(last), one).ISO() for one in CONVENTIONS]
        shifted = business.advance(date_of(first), generator.below(41) - 20, ql.Days, convention)
        days = day_of(end) - day_of(start)
        interest, is_half, differs = interest_of(generator, days, start, end)
        halves, doubles = halves + is_half, doubles + differs
        results.append(' '.join([start.ISO(), *ends, shifted.ISO(), str(days), str(interest)]))
    return results, halves, doubles


if __name__ == '__main__':
    results, halves, doubles = repos()
    blocks = [results[start:start + BLOCK] for start in range(0, COUNT, BLOCK)]
    vectors = {
        'quantlib': ql.__version__, 'halves': halves, 'doubles': doubles,
        'digests': [hashlib.sha256('\n'.join(block).encode()).hexdigest()[:16] for block in blocks],
        'samples': [block[0] for block in blocks],
    }
    with open('test/vectors/repos.json', 'w', encoding='ascii') as file:
        json.dump(vectors, file, indent=1)
        file.write('\n')
    print(len(results), 'repos', halves, 'halves', doubles, 'rounded otherwise by doubles')
