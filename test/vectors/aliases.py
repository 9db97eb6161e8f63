#!/usr/bin/env python3
"""Make test/vectors/aliases.json: what idna and python-stdnum (PyPI) make of texts that test/unit/api/alias-vectors.test.ts makes again.

Run with `pip install idna==3.20 python-stdnum==2.2`, from the root of the repository and after `npm ci`. Texts come from a
generator of 32 bits that both sides have, so that only digests of 1,000 results each and the differences are stored.
"""
import hashlib
import json
import re
import subprocess

import idna
from stdnum import iban

COUNT, BLOCK = 100_000, 1_000
# Ranges of code points, the first ones more often: letters that become ASCII, then what is refused.
RANGES = [
    (0x61, 0x7A), (0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x2D, 0x2E), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A), (0xFF10, 0xFF19),
    (0x1D400, 0x1D433), (0x2460, 0x2473), (0x24B6, 0x24E9), (0x2160, 0x217F), (0xFB00, 0xFB06), (0x2070, 0x209C), (0x200B, 0x200D),
    (0xAD, 0xAD), (0x2060, 0x2060), (0x3002, 0x3002), (0xFF0E, 0xFF0E), (0x212A, 0x212B), (0xC0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF),
    (0x400, 0x4FF), (0x5D0, 0x5EA), (0x620, 0x64A), (0x1E00, 0x1EFF), (0x20, 0x7E), (0x80, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x1FFFF),
]
# Of four texts, three have the first ranges alone.
NEAR = 20


class Generator:
    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self.state >> 8) % count


def text(generator):
    ranges = NEAR if generator.below(4) < 3 else len(RANGES)
    points = []
    for _ in range(1 + generator.below(8)):
        low, high = RANGES[generator.below(ranges)]
        points.append(low + generator.below(high - low + 1))
    return ''.join(map(chr, points))


LABEL = '[a-z0-9]+(?:-[a-z0-9]+)*'
PATH = re.compile(rf'{LABEL}(?:\.{LABEL}){{0,3}}')


def path_of(ascii_text):
    """The text if it is a path of the grammar of names, else an empty text."""
    labels = [] if ascii_text is None else ascii_text.split('.')
    sound = ascii_text is not None and PATH.fullmatch(ascii_text) and len(ascii_text) <= 128 and all(len(one) <= 63 for one in labels)
    return ascii_text if sound else ''


def by_idna(value):
    try:
        return path_of(idna.encode(value, uts46=True, std3_rules=True, transitional=False).decode('ascii'))
    except (idna.IDNAError, UnicodeError):
        return ''


TR46 = """
const { toASCII } = require('tr46')
const rules = { checkHyphens: true, checkBidi: true, checkJoiners: true, useSTD3ASCIIRules: true, verifyDNSLength: true, transitionalProcessing: false }
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'))
console.log(JSON.stringify(texts.map((text) => toASCII(text, rules))))
"""


def names():
    generator = Generator(46)
    texts = [text(generator) for _ in range(COUNT)]
    ran = subprocess.run(['node', '-e', TR46], input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
    digests, differences = [], []
    results = [by_idna(one) for one in texts]
    for one, ours, theirs in zip(texts, map(path_of, json.loads(ran.stdout)), results):
        if ours != theirs:
            differences.append([one, ours, theirs])
    for start in range(0, COUNT, BLOCK):
        digests.append(hashlib.sha256('\n'.join(results[start:start + BLOCK]).encode()).hexdigest()[:16])
    return {'accepted': sum(1 for one in results if one != ''), 'digests': digests, 'differences': differences}


# One account of each of some countries, and of one without IBANs.
BBANS = {
    'DE': '370400440532013000', 'GB': 'WEST12345698765432', 'FR': '20041010050500013M02606', 'CH': '00762011623852957',
    'NO': '86011117947', 'MT': 'MALT011000012345MTLCAST001S', 'US': '123456789012', 'BE': '539007547034',
}


def with_digits(country, bban):
    number = int(''.join(str(int(one, 36)) for one in bban + country + '00'))
    return f'{country}{98 - number % 97:02d}{bban}'


def ibans():
    generator = Generator(13616)
    rows = []
    for country, bban in BBANS.items():
        good = with_digits(country, bban)
        texts = [good, good.lower(), ' '.join(re.findall('.{1,4}', good)), good[:-1], good + '0', f'{country}00{bban}', f'{country}99{bban}']
        for _ in range(40):
            at = generator.below(len(good))
            digit = '0123456789ABCXYZ'[generator.below(16)]
            texts.append(good[:at] + digit + good[at + 1:])
        for _ in range(6):
            changed = list(bban)
            changed[generator.below(len(changed))] = str(generator.below(10))
            texts.append(with_digits(country, ''.join(changed)))
        for one in texts:
            rows.append([one, int(iban.is_valid(one, check_country=False))])
    return rows


if __name__ == '__main__':
    vectors = {'idna': idna.__version__, 'names': names(), 'ibans': ibans()}
    with open('test/vectors/aliases.json', 'w', encoding='ascii') as file:
        file.write(json.dumps(vectors).replace('], [', '],\n[') + '\n')
    print(vectors['names']['accepted'], 'names', len(vectors['names']['differences']), 'differences', len(vectors['ibans']), 'IBANs')
