/**
 * Owns the import of bindings from a file (docs/design/iso20022.md 2): all faults at once, then instructions in
 * batches.
 */
import { isList } from '../../base/guards.js'
import type { Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { LedgerError } from '../../model/errors.js'
import type { Instruction } from '../../model/index.js'
import { readCsv } from '../input/csv.js'
import { parseJsonText } from '../input/json.js'
import type { ReadInstruction } from '../transaction/submit.js'
import { bicOf, bindCurrency, bindIban, currencyOf, ibanOf, setSubmitter } from './bind.js'

/** Number of instructions per transaction, far below its cost limit. */
export const BATCH = 200
/** Maximum faults that are listed. */
const FAULTS_MAX = 100

/** Binding of the file; accounts are still addresses or aliases. */
export type Binding =
  | { readonly kind: 'iban'; readonly iban: string; readonly account: string }
  | { readonly kind: 'currency'; readonly currency: string; readonly definition: string }
  | {
      readonly kind: 'submitter'
      readonly account: string
      readonly bics: readonly string[]
      readonly domain: string | undefined
      readonly debtors: readonly string[]
      readonly limits: readonly Json[]
    }

type Fields = Readonly<Record<string, unknown>>

/** Allowed fields of each kind of binding, by the field that identifies it. */
const KNOWN = {
  iban: ['iban', 'account'],
  currency: ['currency', 'definition'],
  submitter: ['submitter', 'domain', 'debtors', 'bics', 'limits'],
} as const
const KINDS = Object.keys(KNOWN) as readonly (keyof typeof KNOWN)[]

class Reader {
  readonly faults: string[] = []

  fault(place: string, text: string): undefined {
    if (this.faults.length < FAULTS_MAX) this.faults.push(`${place}: ${text}`)
  }

  text(fields: Fields, place: string, key: string): string | undefined {
    const value = fields[key]
    return typeof value === 'string' && value !== '' ? value : this.fault(place, `${key}: expected a text`)
  }

  texts(fields: Fields, place: string, key: string): readonly string[] {
    const value = fields[key] ?? []
    if (isList(value) && value.every((one) => typeof one === 'string')) return value
    this.fault(place, `${key}: expected a list of texts`)
    return []
  }

  checked(place: string, text: string | undefined, check: (text: string) => string): string | undefined {
    if (text === undefined) return undefined
    try {
      return check(text)
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      return this.fault(place, error.message)
    }
  }
}

function bindingOf(reader: Reader, fields: Fields, place: string): Binding | undefined {
  const kind = KINDS.find((one) => one in fields)
  if (kind === undefined) return reader.fault(place, 'expected iban, currency or submitter')
  const known: readonly string[] = KNOWN[kind]
  // An ignored field could be an intended limit: "bic" instead of "bics" would mean every BIC.
  const unknown = Object.keys(fields).find((field) => !known.includes(field))
  if (unknown !== undefined) {
    return reader.fault(place, `unknown field ${JSON.stringify(unknown)} of ${kind}; fields are ${known.join(', ')}`)
  }
  if (kind === 'iban') {
    const iban = reader.checked(place, reader.text(fields, place, 'iban'), ibanOf)
    const account = reader.text(fields, place, 'account')
    return iban === undefined || account === undefined ? undefined : { kind: 'iban', iban, account }
  }
  if (kind === 'currency') {
    const currency = reader.checked(place, reader.text(fields, place, 'currency'), currencyOf)
    const definition = reader.text(fields, place, 'definition')
    return currency === undefined || definition === undefined ? undefined : { kind: 'currency', currency, definition }
  }
  const account = reader.text(fields, place, 'submitter')
  const bics = reader.texts(fields, place, 'bics').map((bic) => reader.checked(place, bic, bicOf) ?? '')
  const domain = fields['domain'] === undefined ? undefined : reader.text(fields, place, 'domain')
  const debtors = reader.texts(fields, place, 'debtors')
  const limits = (fields['limits'] ?? []) as readonly Json[]
  if ((domain === undefined) === (debtors.length === 0)) return reader.fault(place, 'give either domain or debtors')
  return account === undefined ? undefined : { kind, account, bics, domain, debtors, limits }
}

/** Rows of a CSV file with a header. Columns are separated by commas, and named in upper or lower case. */
function csvRows(text: string, reader: Reader): [place: string, fields: Fields][] {
  const records = readCsv(text)
  if ('fault' in records) {
    reader.fault(`line ${records.line}`, records.fault)
    return []
  }
  const [first, ...rows] = records
  const head = (first?.cells ?? []).map((name) => name.toLowerCase())
  const place = `line ${first?.line ?? 1}`
  if (head.some((name) => name.includes(';'))) {
    reader.fault(place, 'columns are separated by commas, not by semicolons')
    return []
  }
  const twice = head.find((name, at) => head.indexOf(name) !== at)
  if (twice !== undefined) {
    reader.fault(place, `two columns are named "${twice}"`)
    return []
  }
  return rows.flatMap(({ line, cells }): [string, Fields][] => {
    if (cells.length !== head.length) {
      reader.fault(`line ${line}`, `expected ${head.length} values, got ${cells.length}`)
      return []
    }
    return [[`line ${line}`, Object.fromEntries(head.map((name, column) => [name, cells[column] ?? '']))]]
  })
}

/**
 * Bindings of a file: CSV (RFC 4180) with a header (`iban,account` or `currency,definition`), or JSON, a list of
 * `{iban, account}`, `{currency, definition}` and `{submitter, domain | debtors, bics?, limits?}`. Throws `bad_value`
 * with every fault.
 */
export function readBindings(name: string, bytes: Uint8Array): Binding[] {
  const reader = new Reader()
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  let rows: [string, Fields][] = []
  if (/^\s*[[{]/.test(text)) {
    try {
      const parsed = parseJsonText(text, 'file')
      if (Array.isArray(parsed)) {
        rows = parsed.map((row: Json, at): [string, Fields] => [`[${at}]`, isJsonObject(row) ? row : {}])
      } else reader.fault('file', 'expected a list')
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      reader.faults.push(error.message)
    }
  } else rows = csvRows(text, reader)
  const bindings: Binding[] = []
  const seen = new Map<string, string>()
  for (const [place, fields] of rows) {
    const binding = bindingOf(reader, fields, place)
    if (binding === undefined) continue
    bindings.push(binding)
    const key =
      binding.kind === 'iban' ? binding.iban : binding.kind === 'currency' ? binding.currency : binding.account
    const before = seen.get(key)
    if (before !== undefined) reader.fault(place, `${key} is already in ${before}`)
    seen.set(key, place)
  }
  if (reader.faults.length > 0) {
    throw new LedgerError('bad_value', `${name}: ${reader.faults.length} faults\n  ${reader.faults.join('\n  ')}`, {
      details: { faults: reader.faults },
    })
  }
  return bindings
}

/** Instructions of a binding; `resolve` returns the address of an address or alias. */
export async function instructionsOfBinding(
  binding: Binding,
  resolve: (account: string) => Promise<string>,
  read: ReadInstruction,
): Promise<Instruction[]> {
  switch (binding.kind) {
    case 'iban':
      return bindIban(read, binding.iban, await resolve(binding.account), false)
    case 'currency':
      return bindCurrency(read, binding.currency, binding.definition, false)
    case 'submitter': {
      const { bics, domain, limits } = binding
      const debtors = domain === undefined ? { accounts: await Promise.all(binding.debtors.map(resolve)) } : { domain }
      return [setSubmitter(read, await resolve(binding.account), bics, debtors, limits)]
    }
  }
}
