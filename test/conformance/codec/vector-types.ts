/** Owns the types of the codec vectors, with values as JSON twins and bytes that must be refused. */
import {
  binaryKey,
  bool,
  bytes,
  bytesN,
  type CodecContext,
  type CodecFaultCode,
  enumOf,
  hex,
  type Json,
  json,
  lazy,
  list,
  map,
  numeric,
  open,
  openRegistry,
  option,
  recursive,
  refine,
  type Schema,
  string,
  struct,
  text,
  u8,
  u16,
  u32,
  u64,
  unitEnum,
  varint,
  varintBig,
  zigzag,
} from '../../../src/codec/index.js'

/** Rules of the named types, as regular expressions over the text, or over the hex of a key. */
export const RULES = { Name: '^[a-z]+$', Account: '^01', Even: '[02468]$' }
export const KEY_PREFIX = 'key:'

const keyText = (value: string): string => KEY_PREFIX + Buffer.from(value, 'latin1').toString('hex')
const textKey = (value: string): string | undefined =>
  /^key:([0-9a-f]{2})*$/.test(value) ? Buffer.from(value.slice(KEY_PREFIX.length), 'hex').toString('latin1') : undefined

const name = text('Name', 16, (value) => (new RegExp(RULES.Name).test(value) ? undefined : 'lower-case letters only'))
const account = binaryKey(40, {
  name: 'Account',
  validate: (value) => (value.startsWith('\u0001') ? undefined : 'unknown version'),
  toText: keyText,
  fromText: textKey,
})
const peer = binaryKey(4, { name: 'PeerKey', exactBytes: 4, toText: keyText, fromText: textKey })
const level = unitEnum('Level', { low: 0, veryHigh: 300 })
const even = refine(u8, 'Even', (value) => (value % 2 === 0 ? undefined : 'odd'))
const transfer = struct('Transfer', { sourceAccount: account, amount: numeric, memo: option(string(20)) })
const shape = enumOf('Shape', { empty: [0, undefined], circle: [1, u16], named: [200, struct('Named', { name })] })
const nothing = struct('Nothing', {})

interface Tree {
  readonly label: string
  readonly children: readonly Tree[]
}
const tree: Schema<Tree> = struct('Tree', {
  label: string(8),
  children: list(
    recursive('Tree', (): Schema<Tree> => tree),
    4,
  ),
})

const instruction = open('instruction')
const batch = struct('Batch', { instructions: list(instruction, 8) })
const signed = struct('SignedBatch', { payload: lazy(batch), signatures: map(peer, bytesN(4), 3) })

export const registry = openRegistry('instruction', [
  { id: 1, kind: 'transfer', schema: transfer },
  { id: 300, kind: 'runBatch', schema: batch },
  { id: 2, kind: 'doNothing', schema: nothing },
])
export const context: CodecContext = { registries: { instruction: registry } }

/** One type with its values and its refusals. */
export interface VectorType {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: types of any value
  readonly schema: Schema<any>
  readonly values: readonly Json[]
  readonly refused: readonly (readonly [hex: string, error: CodecFaultCode])[]
}

const account1 = `key:01${'a1'.repeat(34)}`

export const VECTOR_TYPES: readonly VectorType[] = [
  {
    name: 'u8',
    schema: u8,
    values: [0, 255],
    refused: [
      ['', 'truncated'],
      ['0000', 'trailing_bytes'],
    ],
  },
  { name: 'u16', schema: u16, values: [0, 258, 65535], refused: [['00', 'truncated']] },
  { name: 'u32', schema: u32, values: [1, 4294967295], refused: [['010203', 'truncated']] },
  {
    name: 'u64',
    schema: u64,
    values: ['0', '18446744073709551615', '9007199254740993'],
    refused: [['01020304050607', 'truncated']],
  },
  {
    name: 'varint',
    schema: varint,
    values: [0, 127, 128, 300, 16384, 2147483648, 1760000000000, 9007199254740991],
    refused: [
      ['80', 'truncated'],
      ['8000', 'non_canonical'],
      ['ff00', 'non_canonical'],
      ['ffffffffffffff1f', 'out_of_bounds'],
      ['808080808080808001', 'out_of_bounds'],
    ],
  },
  {
    name: 'zigzag',
    schema: zigzag,
    values: [0, -1, 1, -64, 64, -65, 300, -2147483648, 4503599627370495, -4503599627370495],
    refused: [
      ['80', 'truncated'],
      ['8100', 'non_canonical'],
      // 2^53 - 1 would be -2^52.
      ['ffffffffffffff0f', 'out_of_bounds'],
      ['feffffffffffff1f', 'out_of_bounds'],
      ['818080808080808001', 'out_of_bounds'],
    ],
  },
  {
    name: 'varint64',
    schema: varintBig,
    values: ['0', '128', '9007199254740992', '72057594037927936', '18446744073709551615'],
    refused: [
      ['ffffffffffffffffff02', 'out_of_bounds'],
      ['80808080808080808080', 'out_of_bounds'],
      ['8080808080808080808001', 'out_of_bounds'],
      ['808000', 'non_canonical'],
    ],
  },
  { name: 'bool', schema: bool, values: [true, false], refused: [['02', 'non_canonical']] },
  {
    name: 'bytes',
    schema: bytes(4),
    values: ['', 'AQ==', 'AQIDBA=='],
    refused: [
      ['050102030405', 'out_of_bounds'],
      ['0301', 'truncated'],
      ['8100', 'non_canonical'],
    ],
  },
  { name: 'hex', schema: hex(4), values: ['', '01ff'], refused: [['05', 'out_of_bounds']] },
  {
    name: 'bytesN',
    schema: bytesN(3),
    values: ['010203'],
    refused: [
      ['0102', 'truncated'],
      ['01020304', 'trailing_bytes'],
    ],
  },
  {
    name: 'string',
    schema: string(200),
    values: ['', 'plain', '\ufeffmark', 'h\u00e9llo \u20ac \u{1f600}', 'quote " \\ \u0000', 'x'.repeat(150), 'e\u0301'],
    refused: [
      ['01ff', 'bad_utf8'],
      ['02c080', 'bad_utf8'],
      ['03eda080', 'bad_utf8'],
      ['04f4908080', 'bad_utf8'],
      ['02c3', 'truncated'],
      ['01c3', 'bad_utf8'],
      ['c901', 'out_of_bounds'],
    ],
  },
  {
    name: 'text',
    schema: name,
    values: ['abc', 'abcdefghijklmnop'],
    refused: [
      ['00', 'bad_value'],
      ['0141', 'bad_value'],
      ['01ff', 'bad_utf8'],
    ],
  },
  {
    name: 'key',
    schema: account,
    values: ['key:01', account1],
    refused: [
      ['00', 'bad_value'],
      ['0102', 'bad_value'],
      ['29', 'out_of_bounds'],
    ],
  },
  { name: 'key of fixed size', schema: peer, values: ['key:00ff7f80'], refused: [['000102', 'truncated']] },
  {
    name: 'option',
    schema: option(u16),
    values: [null, 7],
    refused: [
      ['02', 'bad_tag'],
      ['0101', 'truncated'],
    ],
  },
  {
    name: 'list',
    schema: list(u16, 300),
    values: [[], [1, 2, 3], Array.from({ length: 130 }, (_, i) => i)],
    refused: [
      ['ad02', 'out_of_bounds'],
      ['050100', 'truncated'],
      ['020100', 'truncated'],
    ],
  },
  {
    name: 'map with texts as keys',
    schema: map(string(10), varint, 4),
    values: [{}, { b: 1, a: 2, aa: 3 }, { ['__proto__']: 5, '1': 6, '\u{1f600}': 7, '\ufffd\u0001': 8 }],
    refused: [
      ['02016101016102', 'non_canonical'],
      ['02016201016102', 'non_canonical'],
      ['020261610101620203', 'non_canonical'],
      ['05', 'out_of_bounds'],
      ['0401610101', 'truncated'],
    ],
  },
  {
    name: 'map with numbers as keys',
    schema: map(u16, bool, 4),
    values: [
      [
        [256, true],
        [1, false],
        [2, true],
      ],
    ],
    refused: [
      ['02010001000101', 'non_canonical'],
      ['02010001010000', 'non_canonical'],
    ],
  },
  {
    name: 'map with names as keys',
    schema: map(level, u8, 4),
    values: [{ Low: 1, VeryHigh: 2 }],
    refused: [['010500', 'bad_tag']],
  },
  { name: 'map with keys as keys', schema: map(account, u8, 4), values: [{ 'key:0100': 1, 'key:01': 2 }], refused: [] },
  {
    name: 'struct',
    schema: transfer,
    values: [
      { source_account: 'key:01', amount: '1.5', memo: null },
      { source_account: account1, amount: '-3', memo: 'm' },
    ],
    refused: [
      ['0101000105', 'truncated'],
      ['0101000105000000', 'trailing_bytes'],
    ],
  },
  { name: 'empty struct', schema: nothing, values: [{}], refused: [['00', 'trailing_bytes']] },
  {
    name: 'enum',
    schema: shape,
    values: ['Empty', { Circle: 513 }, { Named: { name: 'ab' } }],
    refused: [
      ['02', 'bad_tag'],
      ['0101', 'truncated'],
      ['8000', 'non_canonical'],
      ['c801', 'truncated'],
    ],
  },
  {
    name: 'enum of names',
    schema: level,
    values: ['Low', 'VeryHigh'],
    refused: [
      ['01', 'bad_tag'],
      ['', 'truncated'],
    ],
  },
  {
    name: 'numeric',
    schema: numeric,
    values: [
      '0',
      '1',
      '-1',
      '1.5',
      '-0.01',
      '127',
      '128',
      '-128',
      '-129',
      '255',
      '9007199254740993',
      `${2n ** 511n - 1n}`,
      `-${2n ** 511n}`,
      '0.0000000000000000000000000001',
      '-12.05',
      '25.6',
    ],
    refused: [
      ['1d0101', 'out_of_bounds'],
      ['0041', 'out_of_bounds'],
      ['0000', 'non_canonical'],
      ['00020001', 'non_canonical'],
      ['0002ff80', 'non_canonical'],
      ['01010a', 'non_canonical'],
      ['0101f6', 'non_canonical'],
      ['010100', 'non_canonical'],
      ['0102fff6', 'non_canonical'],
      ['000201', 'truncated'],
    ],
  },
  {
    name: 'json',
    schema: json(100, 2),
    values: [
      null,
      true,
      0,
      -9007199254740991,
      'text \u0007 \u20ac "\\',
      [],
      {},
      [1, [2]],
      { b: 1, a: { c: null } },
      { '\u{1f600}': 1, '\ufffd': 2 },
    ],
    refused: [
      ['022031', 'non_canonical'],
      ['035b205d', 'non_canonical'],
      [`0d${Buffer.from('{"b":1,"a":2}').toString('hex')}`, 'non_canonical'],
      [`03${Buffer.from('1.5').toString('hex')}`, 'bad_value'],
      [`07${Buffer.from('[[[1]]]').toString('hex')}`, 'too_deep'],
      [`0122`, 'malformed_json'],
      ['00', 'malformed_json'],
      ['03220022', 'malformed_json'],
      ['0322ff22', 'bad_utf8'],
      ['65', 'out_of_bounds'],
      [`08${Buffer.from('"\\u0041"').toString('hex')}`, 'non_canonical'],
      [`04${Buffer.from('"\\/"').toString('hex')}`, 'non_canonical'],
    ],
  },
  { name: 'refine', schema: even, values: [0, 254], refused: [['01', 'bad_value']] },
  {
    name: 'recursive',
    schema: tree,
    values: [
      {
        label: 'r',
        children: [
          { label: 'a', children: [] },
          { label: 'b', children: [{ label: 'c', children: [] }] },
        ],
      },
    ],
    refused: [
      [`${'016101'.repeat(33)}016100`, 'too_deep'],
      ['016101', 'truncated'],
    ],
  },
  {
    name: 'open',
    schema: instruction,
    values: [
      { Transfer: { source_account: 'key:01', amount: '2', memo: null } },
      { DoNothing: {} },
      { RunBatch: { instructions: [{ DoNothing: {} }, { RunBatch: { instructions: [] } }] } },
      { Transfer: { source_account: account1, amount: `${2n ** 511n - 1n}`, memo: 'x'.repeat(20) } },
    ],
    refused: [
      ['0300', 'unknown_instruction'],
      ['0205', 'truncated'],
      ['020100', 'trailing_bytes'],
      ['0200ff', 'trailing_bytes'],
      ['0100', 'truncated'],
      ['01060101000102', 'truncated'],
    ],
  },
  {
    name: 'lazy inside a struct',
    schema: signed,
    values: [
      {
        payload: { instructions: [{ DoNothing: {} }] },
        signatures: { 'key:00000001': '0a0b0c0d', 'key:ff000000': '01020304' },
      },
    ],
    refused: [
      ['0101020000', 'truncated'],
      ['02000000', 'trailing_bytes'],
      ['03010205', 'truncated'],
      ['0301030000', 'unknown_instruction'],
    ],
  },
]
