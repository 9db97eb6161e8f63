/** Owns the fault record of a refused message and the bounded list that collects all faults of a stage. */
import { MAX_FAULT_VALUE, MAX_FAULTS } from './limits.js'
import type { ReasonCode } from './reasons.js'

/**
 * How far the reading came: too many bytes (413), not UTF-8 (415), not well-formed or hostile (400), or not a
 * message the bridge can book (422).
 */
export type FaultStage = 'size' | 'encoding' | 'malformed' | 'invalid'

/** One fault of a message, with everything a sender needs to correct it. */
export interface IsoFault {
  /** Stable snake-case code, such as 'iban_checksum'. */
  readonly code: string
  /** Place as a path of local names; an element that may repeat carries its number. */
  readonly path: string
  /** Line and column of the place, both from 1; 0 when the body has no lines to point at. */
  readonly line: number
  readonly column: number
  /** What was found, clipped; empty when something is missing. */
  readonly value: string
  /** What is accepted there. */
  readonly expected: string
  /** ISO external status reason. */
  readonly reasonCode: ReasonCode
  /** What to do about it. */
  readonly hint: string
}

/** A fault as JSON shows it, over HTTP and on the command line alike. */
export const faultJson = ({ reasonCode, ...fault }: IsoFault) => ({ ...fault, reason_code: reasonCode })

/** A place in the source text: line and column from 1, and the offset they belong to. */
export interface Place {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** What a check says about a fault; the rest has defaults. */
export interface FaultInput {
  readonly code: string
  readonly path: string
  readonly at: Place
  readonly value?: string | undefined
  readonly expected: string
  readonly reasonCode?: ReasonCode | undefined
  readonly hint?: string | undefined
}

/** The place of faults that concern the body as a whole. */
export const WHOLE_BODY: Place = { offset: 0, line: 0, column: 0 }

/** Shortens a value to what a fault repeats; control characters become visible, so that a log line stays one line. */
export function clip(value: string): string {
  const visible = value
    .slice(0, MAX_FAULT_VALUE * 2)
    .replace(CONTROLS, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const points = Array.from(visible)
  return points.length <= MAX_FAULT_VALUE ? visible : `${points.slice(0, MAX_FAULT_VALUE - 1).join('')}…`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

/** Collects the faults of one stage, bounded, and gives them back in document order. */
export class FaultList {
  private readonly entries: { offset: number; fault: IsoFault }[] = []
  private cut = false

  /** Adds a fault; past the bound it is only noted that there are more. */
  add(input: FaultInput): void {
    if (this.entries.length >= MAX_FAULTS) {
      this.cut = true
      return
    }
    this.entries.push({
      offset: input.at.offset,
      fault: {
        code: input.code,
        path: input.path,
        line: input.at.line,
        column: input.at.column,
        value: clip(input.value ?? ''),
        expected: input.expected,
        reasonCode: input.reasonCode ?? 'FF01',
        hint: input.hint ?? '',
      },
    })
  }

  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  /** Whether faults were left out: then `covers` cannot vouch for a value any more. */
  get isCut(): boolean {
    return this.cut
  }

  /** Whether the place, or an element that holds it, has a fault already: one cause is told once. */
  covers(path: string): boolean {
    return this.entries.some(({ fault }) => path === fault.path || path.startsWith(`${fault.path}/`))
  }

  /** All faults in document order. */
  list(): IsoFault[] {
    const faults = this.entries.toSorted((a, b) => a.offset - b.offset).map((entry) => entry.fault)
    if (this.cut) {
      faults.push({
        code: 'too_many_faults',
        path: '/',
        line: 0,
        column: 0,
        value: '',
        expected: `at most ${MAX_FAULTS} faults`,
        reasonCode: 'FF01',
        hint: 'The list is truncated here; correct these and send the message again.',
      })
    }
    return faults
  }
}
