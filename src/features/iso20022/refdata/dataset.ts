/** Owns the files of reference data: their shape, and all faults of a file at once (`causeway iso refdata lint`). */
import { isList, isRecord } from '../../../base/guards.js'
import { parseJson } from '../../../codec/json-text.js'
import { hash } from '../../../crypto/hash.js'
import { canonicalBic, canonicalIban, checkBic, checkIban, currencyScale } from '../message/index.js'

/** The three kinds of files. */
export const DATASETS = ['bic', 'iban', 'currency'] as const
export type DatasetKind = (typeof DATASETS)[number]

/** Maximum entries of one file, far above any directory of banks (SWIFT lists some 40,000 BICs). */
const ENTRIES_MAX = 2_000_000
/** Maximum number of listed faults of one file. */
const FAULTS_MAX = 100
/** Status texts of an entry that is no longer in use. */
const INACTIVE = /DELETED|EXPIRED|INACTIVE|SUSPENDED|!/i

/** A bank: a BIC of eight characters identifies the institution with all its branches. */
export interface BicEntry {
  readonly bic: string
  readonly active: boolean
}
/** Bank of an IBAN, or of all IBANs in a country that begin with a BBAN prefix. */
export interface IbanEntry {
  readonly iban: string | undefined
  readonly country: string
  readonly bbanPrefix: string
  readonly bic: string | undefined
  readonly active: boolean
}
/** A currency, with the definition to which it must be bound. */
export interface CurrencyEntry {
  readonly currency: string
  readonly definition: string | undefined
  readonly active: boolean
}

/** A loaded file. */
export interface Dataset<Entry> {
  readonly version: string
  readonly source: string
  /** Time of publication, in ms since the Unix epoch. */
  readonly fetchedAtMs: number | undefined
  readonly entries: readonly Entry[]
  /** Tagged hash of the file's bytes, hex. */
  readonly digest: string
}

/** Entry type by kind of file. */
export interface DatasetEntries {
  readonly bic: BicEntry
  readonly iban: IbanEntry
  readonly currency: CurrencyEntry
}

/** A fault of a file. */
export interface DatasetFault {
  /** Path such as `entries[3].bic`. */
  readonly path: string
  readonly value: string
  readonly expected: string
}

export type DatasetResult<K extends DatasetKind> =
  | { readonly ok: true; readonly dataset: Dataset<DatasetEntries[K]> }
  | { readonly ok: false; readonly faults: readonly DatasetFault[] }

type Fields = Readonly<Record<string, unknown>>

class Lint {
  readonly faults: DatasetFault[] = []

  add(path: string, value: unknown, expected: string): undefined {
    if (this.faults.length < FAULTS_MAX) {
      const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
      this.faults.push({ path, value: text.slice(0, 64), expected })
    }
    return undefined
  }

  /** Read a text field; undefined if it is absent or invalid. */
  text(fields: Fields, path: string, key: string, required: boolean): string | undefined {
    const value = fields[key]
    if (value === undefined && !required) return undefined
    if (typeof value === 'string' && value !== '' && value.length <= 256) return value
    return this.add(path === '' ? key : `${path}.${key}`, value, 'a text of 1 to 256 characters')
  }

  known(fields: Fields, path: string, keys: readonly string[]): void {
    for (const key of Object.keys(fields)) {
      if (!keys.includes(key)) this.add(path === '' ? key : `${path}.${key}`, key, `one of ${keys.join(', ')}`)
    }
  }

  bic(fields: Fields, path: string, required: boolean): string | undefined {
    const text = this.text(fields, path, 'bic', required)
    if (text === undefined) return undefined
    const problem = checkBic(text)
    return problem === undefined ? canonicalBic(text) : this.add(`${path}.bic`, text, problem.expected)
  }
}

const isActive = (status: string | undefined): boolean => status === undefined || !INACTIVE.test(status)

const READERS: {
  readonly [K in DatasetKind]: (lint: Lint, fields: Fields, path: string) => DatasetEntries[K] | undefined
} = {
  bic(lint, fields, path) {
    lint.known(fields, path, ['bic', 'lei', 'name', 'status'])
    const bic = lint.bic(fields, path, true)
    const lei = lint.text(fields, path, 'lei', false)
    if (lei !== undefined && !/^[A-Z0-9]{18}[0-9]{2}$/.test(lei)) {
      lint.add(`${path}.lei`, lei, '18 letters or digits and 2 check digits')
    }
    return bic === undefined ? undefined : { bic, active: isActive(lint.text(fields, path, 'status', false)) }
  },
  iban(lint, fields, path) {
    lint.known(fields, path, ['iban', 'country', 'bban_prefix', 'bic', 'status'])
    const active = isActive(lint.text(fields, path, 'status', false))
    const bic = lint.bic(fields, path, false)
    const text = lint.text(fields, path, 'iban', false)
    if (text !== undefined) {
      const iban = canonicalIban(text)
      const problem = checkIban(iban)
      if (problem !== undefined) return lint.add(`${path}.iban`, text, problem.expected)
      return { iban, country: iban.slice(0, 2), bbanPrefix: '', bic, active }
    }
    const country = lint.text(fields, path, 'country', true)
    const bbanPrefix = fields['bban_prefix'] === '' ? '' : (lint.text(fields, path, 'bban_prefix', false) ?? '')
    if (country === undefined) return undefined
    if (!/^[A-Z]{2}$/.test(country)) return lint.add(`${path}.country`, country, 'two capital letters')
    if (!/^[A-Z0-9]{0,30}$/.test(bbanPrefix)) return lint.add(`${path}.bban_prefix`, bbanPrefix, 'letters and digits')
    return { iban: undefined, country, bbanPrefix, bic, active }
  },
  currency(lint, fields, path) {
    lint.known(fields, path, ['currency', 'minor_unit', 'asset_definition_id', 'name', 'status'])
    const currency = lint.text(fields, path, 'currency', true)
    const definition = lint.text(fields, path, 'asset_definition_id', false)
    if (currency === undefined) return undefined
    const scale = currencyScale(currency)
    if (scale === undefined) return lint.add(`${path}.currency`, currency, 'a currency of ISO 4217 with a minor unit')
    const unit = fields['minor_unit']
    if (unit !== undefined && unit !== scale) lint.add(`${path}.minor_unit`, unit, String(scale))
    return { currency, definition, active: isActive(lint.text(fields, path, 'status', false)) }
  },
}

const nameOf = (entry: BicEntry | IbanEntry | CurrencyEntry): string =>
  'currency' in entry
    ? entry.currency
    : 'country' in entry
      ? (entry.iban ?? `${entry.country}/${entry.bbanPrefix}`)
      : entry.bic

/**
 * Decode the bytes of a file: `{version, source, fetched_at?, entries: [...]}`. Reports all faults of the file at once.
 */
export function readDataset<K extends DatasetKind>(kind: K, bytes: Uint8Array): DatasetResult<K> {
  const lint = new Lint()
  let parsed: unknown
  try {
    parsed = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const message = error instanceof Error ? error.message : 'no JSON'
    return { ok: false, faults: [{ path: '', value: message.slice(0, 64), expected: 'a JSON object in UTF-8' }] }
  }
  if (!isRecord(parsed)) {
    return { ok: false, faults: [{ path: '', value: typeof parsed, expected: 'a JSON object' }] }
  }
  lint.known(parsed, '', ['version', 'source', 'fetched_at', 'entries'])
  const version = lint.text(parsed, '', 'version', true)
  const source = lint.text(parsed, '', 'source', true)
  const fetched = lint.text(parsed, '', 'fetched_at', false)
  const fetchedAtMs = fetched === undefined ? undefined : Date.parse(fetched)
  if (fetchedAtMs !== undefined && Number.isNaN(fetchedAtMs)) lint.add('fetched_at', fetched, 'a date and time')
  const rows = parsed['entries']
  const entries: DatasetEntries[K][] = []
  if (!isList(rows) || rows.length === 0 || rows.length > ENTRIES_MAX) {
    lint.add('entries', isList(rows) ? `${rows.length} entries` : rows, `a list of 1 to ${ENTRIES_MAX} entries`)
  } else {
    const seen = new Set<string>()
    for (const [at, row] of rows.entries()) {
      const path = `entries[${at}]`
      const entry = isRecord(row) ? READERS[kind](lint, row, path) : lint.add(path, row, 'an object')
      if (entry === undefined) continue
      const name = nameOf(entry)
      if (seen.has(name)) lint.add(path, name, `${name} once`)
      seen.add(name)
      entries.push(entry)
    }
  }
  if (lint.faults.length > 0 || version === undefined || source === undefined) return { ok: false, faults: lint.faults }
  return {
    ok: true,
    dataset: { version, source, fetchedAtMs, entries, digest: hash('refdata', bytes).toString('hex') },
  }
}

/** Guess the kind of a file by the fields of its first entry; undefined if they match none. */
export function guessKind(bytes: Uint8Array): DatasetKind | undefined {
  try {
    const json = parseJson(Buffer.from(bytes).toString('utf8'))
    const [first] = isRecord(json) && isList(json['entries']) ? json['entries'] : []
    if (!isRecord(first)) return undefined
    if ('currency' in first) return 'currency'
    return 'iban' in first || 'country' in first ? 'iban' : 'bic' in first ? 'bic' : undefined
  } catch {
    return undefined
  }
}
