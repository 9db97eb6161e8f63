/** Owns the symmetry of two members that no rule distinguishes; a state and its exchanged form count as one state. */
import type { NodeTable } from './table.js'
import type { Identify } from './vectors.js'

/** Numbers of classes of local states, and of their images under the exchange. */
export class Symmetry {
  private readonly classes = new Map<string, number>()
  private readonly own: number[][]
  private readonly exchanged: number[][]
  private readonly image: Int32Array
  /** Index of the table of the exchanged node. */
  private readonly places: readonly number[]

  /** `pair`: numbers of the two nodes. */
  constructor(
    private readonly tables: readonly NodeTable[],
    private readonly pair: readonly [number, number],
  ) {
    this.own = tables.map(() => [])
    this.exchanged = tables.map(() => [])
    this.image = new Int32Array(tables.length)
    this.places = tables.map(({ number }) => tables.findIndex((table) => table.number === this.swapped(number)))
  }

  /** The smaller of the two vectors of classes. */
  readonly identify: Identify = (vector, identity) => {
    const { image, tables } = this
    for (let at = 0; at < tables.length; at++) {
      const local = vector[at] as number
      identity[at] = this.own[at]?.[local] ?? this.classOf(at, local)
      image[this.places[at] as number] = this.exchanged[at]?.[local] ?? this.imageOf(at, local)
    }
    for (let at = 0; at < tables.length; at++) {
      const difference = (identity[at] as number) - (image[at] as number)
      if (difference === 0) continue
      if (difference > 0) identity.set(image)
      return
    }
  }

  private swapped(number: number): number {
    const [first, second] = this.pair
    return number === first ? second : number === second ? first : number
  }

  private classOf(at: number, local: number): number {
    const found = this.number(`${at}#${this.textOf(at, local, false)}`)
    ;(this.own[at] as number[])[local] = found
    return found
  }

  private imageOf(at: number, local: number): number {
    const found = this.number(`${this.places[at]}#${this.textOf(at, local, true)}`)
    ;(this.exchanged[at] as number[])[local] = found
    return found
  }

  private number(text: string): number {
    const known = this.classes.get(text)
    if (known !== undefined) return known
    this.classes.set(text, this.classes.size)
    return this.classes.size - 1
  }

  /** Text of a local state by the texts of its messages; `swap` exchanges the two names everywhere. */
  private textOf(at: number, local: number, swap: boolean): string {
    const table = this.tables[at] as NodeTable
    const text = (table.texts[local] ?? '').replace(/\|se[\d,]*$/, '')
    const sent = table.state(local).sent.map((id) => table.messages.at(id).text)
    if (!swap) return `${text}|${sent.sort().join(' ')}`
    return `${this.swapText(text)}|${sent
      .map((one) => this.swapMessage(one))
      .sort()
      .join(' ')}`
  }

  private swapMessage(text: string): string {
    const name = (digits: string): string => String(this.swapped(Number(digits)))
    return text
      .replace(/^T(\d+):(\d+):/, (_, view, index) => `T${view}:${name(index)}:`)
      .replace(/^(V[pc]\d+:[^:]+:)(\d+)$/, (_, head, index) => `${head}${name(index)}`)
      .replace(/^S(\d+):/, (_, from) => `S${name(from)}:`)
  }

  private swapText(text: string): string {
    const name = (digits: string): string => String(this.swapped(Number(digits)))
    const each = (list: string, change: (item: string) => string): string =>
      list === '' ? '' : list.split(';').map(change).sort().join(';')
    return text
      .replace(/\|ti([^|]*)/, (_, list) => `|ti${each(list, (one) => one.replace(/^\d+/, name))}`)
      .replace(
        /\|vo([^|]*)/,
        (_, list) =>
          `|vo${each(list, (one) => one.replace(/:(\d+)([ac]*)$/, (_all, members, flags) => `:${[...members].map(name).sort().join('')}${flags}`))}`,
      )
      .replace(
        /\|fv([^|]*)/,
        (_, list) =>
          `|fv${each(list, (one) => one.replace(/^(\w+:\d+:)(\d+)/, (_all, head, index) => `${head}${name(index)}`))}`,
      )
      .replace(/\|ac(\d*)/, (_, members) => `|ac${[...members].map(name).sort().join('')}`)
  }
}
