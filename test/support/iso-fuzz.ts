/**
 * Owns the fuzzer of the message reader: inputs from one seed, and the checks that no input makes it throw, hang or
 * grow.
 */
import { type PaymentsResult, parseMessage, parsePayments } from '../../src/features/iso20022/message/index.js'
import { envelope009, FLAT_008, pacs008 } from '../fixtures/iso20022/messages.js'
import { bulkMessage } from './bulk-messages.js'
import { fastRun } from './fast.js'

/** Maximum time of one input, in ms (250 in the issue that requested the fuzzer). */
const HANG_MS = 250

/** Result of a run. */
export interface FuzzReport {
  readonly inputs: number
  readonly accepted: number
  readonly slowestMs: number
  readonly heapGrowthMib: number
}

/** Small generator (mulberry32): one sequence per seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Three payments as XML: one without a fault, one with its id, one empty. */
const BULK_XML = pacs008()
  .replace('<NbOfTxs>1<', '<NbOfTxs>3<')
  .replace(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/s, (payment) => `${payment}${payment}<CdtTrfTxInf/>`)
const BULK_FLAT = bulkMessage('B', [{}, { amount: '0.001' }, {}], ['NbOfTxs=3', 'SplmtryData/LedgerId=ledger'])
const BULK_JSON = JSON.stringify({
  message: 'pacs.008',
  MsgId: 'B',
  CdtTrfTxInf: [{}, { ...Object.fromEntries(FLAT_008.map((line) => line.split('='))) }],
})

const SEEDS = [
  BULK_XML,
  BULK_FLAT,
  BULK_JSON,
  pacs008(),
  envelope009(),
  FLAT_008.join('\n'),
  JSON.stringify({ message: 'pacs.008', ...Object.fromEntries(FLAT_008.map((line) => line.split('='))) }),
  `<ISO20022 message="pacs.008">${FLAT_008.map((line) => `<Field path="${line.split('=')[0]}">${line.split('=')[1]}</Field>`).join('')}</ISO20022>`,
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S</Id><Bal><Amt Ccy="EUR">1</Amt></Bal></Stmt></BkToCstmrStmt></Document>',
].map((text) => Buffer.from(text))

const TOKENS = [
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE x [',
  '<!ENTITY a "b">',
  '<?',
  '?>',
  '&amp;',
  '&#0;',
  '&#x10FFFF;',
  '&a;',
  '"',
  "'",
  '=',
  '\n',
  '\r',
  '\t',
  ' ',
  '\0',
  '\ufeff',
  '\u202e',
  '\ud83d\ude00',
  'xmlns=""',
  'xmlns:a="b"',
  'xsi:nil="true"',
  'Ccy="XXX"',
  '9'.repeat(40),
  '-1',
  '1e9',
  '0.00001',
  '\u0660',
  'MsgId',
  'IntrBkSttlmAmt',
  'CdtTrfTxInf',
  'Document',
  'AppHdr',
  'SplmtryData/',
  '[',
  ']',
  '{',
  '}',
  ':',
  ',',
  '\\u0000',
  '[99999]',
  '__proto__',
  'constructor',
  '/'.repeat(50),
].map((text) => Buffer.from(text))

const VALUE_STARTS = ['>', '=', '"'] as const
const VALUES = ['0', '1', '9', 'A', 'Z', 'a', '.', '-', '/', ' ', '', '\u00e9', 'EUR', 'DE', '00'] as const

/** Input: a valid body with parts removed, doubled, moved, or replaced by typical attack strings. */
function mutate(random: () => number): Buffer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  let bytes = pick(SEEDS)
  // Half of the inputs stay well-formed: one character of a value changes, so that the later stages are covered too.
  if (random() < 0.5) {
    const at = bytes.indexOf(pick(VALUE_STARTS), Math.floor(random() * bytes.length)) + 1 + Math.floor(random() * 6)
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(pick(VALUES)),
      bytes.subarray(at + (random() < 0.5 ? 1 : 0)),
    ])
  }
  const edits = 1 + Math.floor(random() * 6)
  for (let edit = 0; edit < edits; edit++) {
    const at = Math.floor(random() * (bytes.length + 1))
    const end = Math.min(bytes.length, at + Math.floor(random() * 40))
    const piece = bytes.subarray(at, end)
    const kind = random()
    const middle =
      kind < 0.2
        ? Buffer.alloc(0)
        : kind < 0.4
          ? pick(TOKENS)
          : kind < 0.5
            ? Buffer.concat([piece, piece])
            : kind < 0.6
              ? Buffer.concat([pick(TOKENS), piece, pick(TOKENS)])
              : kind < 0.7
                ? Buffer.concat(Array.from({ length: 1 + Math.floor(random() * 60) }, () => piece))
                : kind < 0.8
                  ? pick(SEEDS).subarray(at, at + 200)
                  : Buffer.from(Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 256)))
    bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(kind < 0.2 || random() < 0.6 ? end : at)])
    if (bytes.length > 64 * 1024) bytes = bytes.subarray(0, 64 * 1024)
  }
  return bytes
}

/**
 * Throw if payments are half accepted or refused: each refused one has a fault, and one of an accepted message is
 * valid.
 */
function checkPayments(read: PaymentsResult): void {
  if (!read.ok) {
    if (read.faults.length === 0) throw new Error('payments are refused without a fault')
    return
  }
  const { payments } = read.message
  if (!payments.some(({ ok }) => ok)) throw new Error('a message without a sound payment is taken')
  if (payments.some((one) => !one.ok && one.faults.length === 0))
    throw new Error('a payment is refused without a fault')
}

const heapMib = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/**
 * Feed the reader `inputs` inputs of a seed. Throws, with the input in base64, if an input makes it throw or takes
 * longer than 250 ms four times in a row; growth is reported.
 */
export function fuzz(seed: number, inputs: number, progress: (done: number) => void = () => undefined): FuzzReport {
  const random = generator(seed)
  const families = [undefined, 'pacs.008', 'pacs.009', 'camt.053', 'sese.023', 'head.001']
  let accepted = 0
  let slowestMs = 0
  let base = 0
  for (let input = 0; input < inputs; input++) {
    // After the first tenth all tables are compiled and all code is warm.
    if (input === Math.floor(inputs / 10)) base = heapMib()
    const bytes = mutate(random)
    const family = families[Math.floor(random() * families.length)]
    const run = (): void => {
      const result = parseMessage(bytes, family === undefined ? {} : { family })
      if (result.ok) accepted += 1
      else if (result.faults.length === 0) throw new Error('refused without a fault')
      if (family === 'pacs.008' || family === 'pacs.009') checkPayments(parsePayments(bytes, { family }))
    }
    try {
      slowestMs = Math.max(slowestMs, fastRun(HANG_MS, run))
    } catch (error) {
      throw new Error(`seed ${seed}, input ${input}: ${String(error)}\n${bytes.toString('base64')}`, { cause: error })
    }
    if (input % 10_000 === 9_999) progress(input + 1)
  }
  return { inputs, accepted, slowestMs, heapGrowthMib: heapMib() - base }
}
