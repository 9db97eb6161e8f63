/** Owns the bounded list of differences between tables and chain, as sentences. */
import type { Row, Table, Value } from './tables.js'

/** Maximum listed differences: the report is for a person; a comparison ends with the last of them. */
const DIFFERENCES_MAX = 20
/**
 * Maximum characters of a value in a sentence: a validator key is shown completely, bodies of instructions have
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

  /** Number of further differences that fit. */
  get room(): number {
    return DIFFERENCES_MAX - this.found.length
  }

  add(sentence: string): void {
    if (!this.isFull) this.found.push(sentence)
  }

  /** Adds a row of the chain that the tables lack. */
  missing(table: Table, row: Row): void {
    this.add(`${rowName(table, row)}: not in the tables`)
  }

  /** Adds a row of the tables that the chain lacks. */
  extra(table: Table, row: Row): void {
    this.add(`${rowName(table, row)}: not on the chain`)
  }

  /** Adds the differing cells of a row that both have. */
  cells(table: Table, held: Row, chain: Row): void {
    for (const [at, { name }] of table.columns.entries()) {
      if (held[at] === chain[at]) continue
      this.add(`${rowName(table, chain)}, ${name}: ${shown(held[at])} in the tables, ${shown(chain[at])} on the chain`)
    }
  }
}
