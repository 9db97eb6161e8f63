/** Owns the bounded list of differences between tables and chain, as sentences. */
import type { Row, Table, Value } from './tables.js'

/** Maximum listed differences; a comparison ends when they are reached. */
const DIFFERENCES_MAX = 20
/**
 * Maximum characters of a value in a sentence; a validator key is shown completely, while bodies of instructions have
 * thousands.
 */
const SHOWN_MAX = 120

/** Value for a sentence, without control characters. */
function shown(value: Value | undefined): string {
  const text = JSON.stringify(value ?? null)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}

/** Values of the key of a row. */
export const keyOf = ({ columns, key }: Table, row: Row): Value[] =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)

const rowName = (table: Table, row: Row): string => {
  const values = keyOf(table, row)
  return `${table.name} (${table.key.map((name, at) => `${name} ${shown(values[at])}`).join(', ')})`
}

/** The first differences of a comparison. */
export class Differences {
  private readonly found: string[] = []

  get list(): readonly string[] {
    return this.found
  }

  get isFull(): boolean {
    return this.found.length >= DIFFERENCES_MAX
  }

  /** Number of further differences that can be listed. */
  get room(): number {
    return DIFFERENCES_MAX - this.found.length
  }

  add(sentence: string): void {
    if (!this.isFull) this.found.push(sentence)
  }

  /** Add a row of the chain that is missing in the tables. */
  missing(table: Table, row: Row): void {
    this.add(`${rowName(table, row)}: not in the tables`)
  }

  /** Add a row of the tables that is not on the chain. */
  extra(table: Table, row: Row): void {
    this.add(`${rowName(table, row)}: not on the chain`)
  }

  /** Add the differing cells of a row that exists on both sides. */
  cells(table: Table, held: Row, chain: Row): void {
    for (const [at, { name }] of table.columns.entries()) {
      if (held[at] === chain[at]) continue
      this.add(`${rowName(table, chain)}, ${name}: ${shown(held[at])} in the tables, ${shown(chain[at])} on the chain`)
    }
  }
}
