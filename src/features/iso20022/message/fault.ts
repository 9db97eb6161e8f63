/** Owns the fault record of a refused message and the bounded list that collects all faults of a stage. */
import { MAX_FAULT_VALUE, MAX_FAULTS } from './limits.js'
import type { ReasonCode } from './reasons.js'

/**
 * Stage at which reading ended: too many bytes (413), not UTF-8 (415), not well-formed or hostile (400), or not a
 * message the bridge can book (422).
 */
export type FaultStage = 'size' | 'encoding' | 'malformed' | 'invalid'

/** One fault of a message, with all information that a sender needs to correct it. */
export interface IsoFault {
  /** Stable snake-case code, such as 'iban_checksum'. */
  readonly code: string
  /** Place as a path of local names; an element that may repeat carries its number. */
  readonly path: string
  /** Line and column of the place, both from 1; 0 if the body has no such place. */
  readonly line: number
  readonly column: number
  /** Found value, clipped; empty if a value is missing. */
  readonly value: string
  /** Accepted value. */
  readonly expected: string
  /** ISO external status reason. */
  readonly reasonCode: ReasonCode
  /** Correction to make. */
  readonly hint: string
}

/** JSON form of a fault, over HTTP and on the command line alike. */
export const faultJson = ({ reasonCode, ...fault }: IsoFault) => ({ ...fault, reason_code: reasonCode })

/** A place in the source text: line and column from 1, and their offset. */
export interface Place {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** Fault as reported by a check; other fields have defaults. */
export interface FaultInput {
  readonly code: string
  readonly path: string
  readonly at: Place
  readonly value?: string | undefined
  readonly expected: string
  readonly reasonCode?: ReasonCode | undefined
  readonly hint?: string | undefined
}

/** Place of faults of the body as a whole. */
export const WHOLE_BODY: Place = { offset: 0, line: 0, column: 0 }

/** Shorten a value for a fault text; control characters become visible, so that a log entry is one line. */
export function clip(value: string): string {
  const visible = value
    .slice(0, MAX_FAULT_VALUE * 2)
    .replace(CONTROLS, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const points = Array.from(visible)
  return points.length <= MAX_FAULT_VALUE ? visible : `${points.slice(0, MAX_FAULT_VALUE - 1).join('')}…`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

/** Sink for faults, by path. */
export interface FaultSink {
  /** Add a fault; beyond the limit it only records that there are more. */
  add(input: FaultInput): void
  readonly isEmpty: boolean
  /** True if neither the payment nor its message has a fault. */
  readonly isSound: boolean
  /** True if `covers` may return true for some path. */
  readonly hasAny: boolean
  /** True if faults were omitted, so that `covers` is no longer reliable. */
  readonly isCut: boolean
  /** True if the place or an element that contains it already has a fault, so that each cause is reported only once. */
  covers(path: string): boolean
}

/**
 * Bounded list of the faults of one stage, without duplicates, returned in document order. Faults can repeat because
 * elements that payments share are read with each payment.
 */
export class FaultList implements FaultSink {
  private readonly entries: { offset: number; fault: IsoFault }[] = []
  private cut = false

  add(input: FaultInput): void {
    const { code, path, at } = input
    const isKnown = ({ offset, fault }: (typeof this.entries)[number]): boolean =>
      offset === at.offset && fault.path === path && fault.code === code
    if (this.entries.some(isKnown)) return
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

  get isSound(): boolean {
    return this.entries.length === 0
  }

  get hasAny(): boolean {
    return this.entries.length > 0
  }

  get isCut(): boolean {
    return this.cut
  }

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

/**
 * Faults of a message with several payments: faults of each payment, assigned by the number in their paths, and faults
 * of the message, which cause all of its payments to be refused.
 */
export class SplitFaults {
  private readonly ofPayments: readonly FaultList[]
  private hasAny: boolean

  /**
   * Collect the faults of a message.
   *
   * @param message faults outside the payments, including earlier ones
   * @param element name of the element of a payment, which precedes its number in paths
   */
  constructor(
    readonly message: FaultList,
    payments: number,
    private readonly element: string,
  ) {
    this.hasAny = message.hasAny
    this.ofPayments = Array.from({ length: payments }, () => new FaultList())
  }

  /** Faults of the payment at a place, from 1. */
  of(place: number): FaultList {
    const list = this.ofPayments[place - 1]
    if (list === undefined) throw new RangeError(`payment ${place} does not exist`)
    return list
  }

  /**
   * Sink that assigns faults by their paths; `isEmpty` and `isCut` refer to `own`, the list of the message or of one
   * payment.
   */
  sink(own: FaultList): FaultSink {
    const split = this
    return {
      add(input) {
        split.hasAny = true
        split.listOf(input.path).add(input)
      },
      covers: (path) => split.hasAny && split.listOf(path).covers(path),
      get isEmpty() {
        return own.isEmpty
      },
      get isSound() {
        return own.isEmpty && split.message.isEmpty
      },
      get hasAny() {
        return split.hasAny
      },
      get isCut() {
        return own.isCut
      },
    }
  }

  private listOf(path: string): FaultList {
    const at = path.indexOf(`/${this.element}[`)
    const place = at < 0 ? 0 : Number.parseInt(path.slice(at + this.element.length + 2), 10)
    return this.ofPayments[place - 1] ?? this.message
  }
}
