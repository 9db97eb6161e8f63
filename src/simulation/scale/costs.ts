/**
 * Owns the costs of work in a performance run: one table of times, measured on this machine, pinned, or read from a
 * file.
 */
import { LedgerError } from '../../model/index.js'

/** Times of one validator's work in whole ns, for one operation, or per 1024 bytes if the name says so. */
export interface Costs {
  readonly blsSignNs: number
  readonly blsVerifyNs: number
  readonly blsKeyNs: number
  readonly blsSignatureNs: number
  readonly transactionVerifyNs: number
  readonly hashKibNs: number
  readonly encodeNs: number
  readonly encodeKibNs: number
  readonly decodeNs: number
  readonly decodeKibNs: number
  readonly writeNs: number
  readonly writeKibNs: number
  readonly readNs: number
  readonly readKibNs: number
  readonly handoffNs: number
  readonly stepNs: number
  readonly admitNs: number
  readonly executeNs: number
  readonly blockNs: number
  readonly commitNs: number
  readonly syncNs: number
  readonly diskKibNs: number
}

/**
 * One time: its value on the machine of docs/reference/scale.md, its description, and whether a run measures it at its
 * start.
 */
export interface CostRow {
  readonly name: keyof Costs
  readonly fallback: number
  readonly isMeasured: boolean
  readonly what: string
}

export const COST_ROWS: readonly CostRow[] = [
  { name: 'blsSignNs', fallback: 400_000, isMeasured: true, what: 'creating one BLS signature' },
  {
    name: 'blsVerifyNs',
    fallback: 1_250_000,
    isMeasured: true,
    what: 'verifying one BLS signature, or an aggregate',
  },
  { name: 'blsKeyNs', fallback: 1_000, isMeasured: true, what: 'each further key of a verified aggregate' },
  { name: 'blsSignatureNs', fallback: 120_000, isMeasured: true, what: 'each aggregated signature' },
  { name: 'transactionVerifyNs', fallback: 60_000, isMeasured: true, what: 'the Ed25519 signature of a transaction' },
  { name: 'hashKibNs', fallback: 1_331, isMeasured: true, what: 'hashing, per KiB' },
  { name: 'encodeNs', fallback: 3_000, isMeasured: true, what: 'encoding of a message: a certificate' },
  { name: 'encodeKibNs', fallback: 512, isMeasured: true, what: 'encoding of a payload, per KiB' },
  { name: 'decodeNs', fallback: 3_000, isMeasured: true, what: 'decoding of a message: a certificate' },
  { name: 'decodeKibNs', fallback: 0, isMeasured: true, what: 'decoding of a payload, per KiB' },
  { name: 'writeNs', fallback: 15_000, isMeasured: true, what: 'one write to a TLS connection' },
  { name: 'writeKibNs', fallback: 1_024, isMeasured: true, what: 'the same, per KiB' },
  { name: 'readNs', fallback: 60_000, isMeasured: true, what: 'one read from a TLS connection' },
  { name: 'readKibNs', fallback: 1_024, isMeasured: true, what: 'the same, per KiB' },
  { name: 'handoffNs', fallback: 20_000, isMeasured: true, what: 'passing a job to another thread' },
  { name: 'stepNs', fallback: 25_000, isMeasured: true, what: 'one input of the state machine' },
  { name: 'admitNs', fallback: 100_000, isMeasured: false, what: 'main thread, per transaction' },
  { name: 'executeNs', fallback: 44_000, isMeasured: false, what: 'ledger thread, per transaction of a block' },
  {
    name: 'blockNs',
    fallback: 3_000_000,
    isMeasured: false,
    what: 'ledger thread, per built or executed block',
  },
  { name: 'commitNs', fallback: 3_000_000, isMeasured: false, what: 'ledger thread, per committed block' },
  { name: 'syncNs', fallback: 1_000_000, isMeasured: false, what: 'one fdatasync' },
  { name: 'diskKibNs', fallback: 2_048, isMeasured: false, what: 'writing to disk, per KiB' },
]

/** All times, each computed by `read` from its row. */
export function costsOf(read: (row: CostRow) => number): Costs {
  const costs: { -readonly [K in keyof Costs]?: number } = {}
  for (const row of COST_ROWS) costs[row.name] = read(row)
  return costs as Costs
}

/** Times of the machine in the documentation, with which runs give the same figures everywhere. */
export const DEFAULT_COSTS = costsOf(({ fallback }) => fallback)

/** Maximum time in a file, in ns; a second or more of work indicates a wrong unit. */
const COST_MAX = 1_000_000_000

/** Times from the JSON of a file, which must contain every name of the table and no other. */
export function costsFromJson(value: unknown, name: string): Costs {
  const refuse = (what: string): never => {
    throw new LedgerError('usage', `${name}: ${what}`, {
      hint: 'Write the object "costs" that `causeway sim scale --json` prints to a file.',
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('expected an object of costs')
  const given = new Map<string, unknown>(Object.entries(value))
  const unknown = [...given.keys()].find((key) => !COST_ROWS.some((row) => row.name === key))
  if (unknown !== undefined) return refuse(`unknown cost "${unknown}"`)
  return costsOf((row) => {
    const cost = given.get(row.name)
    if (typeof cost !== 'number' || !Number.isInteger(cost) || cost < 0 || cost > COST_MAX) {
      return refuse(`"${row.name}" must be a whole number of ns from 0 to ${COST_MAX}`)
    }
    return cost
  })
}
