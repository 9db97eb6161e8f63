/** Owns the reference data of a node: files, which are read at start and after changes, with their state and age. */
// Its codes must be in the catalogue.
import { errorCode } from '../../../base/thrown.js'
import '../schema/errors.js'
import { readFile, stat } from 'node:fs/promises'
import { LedgerError } from '../../../model/index.js'
import type { IsoFault, Payment } from '../message/index.js'
import { BicIndex, CurrencyIndex, checkReferences, IbanIndex, type ReferenceIndexes } from './check.js'
import {
  DATASETS,
  type Dataset,
  type DatasetEntries,
  type DatasetFault,
  type DatasetKind,
  readDataset,
} from './dataset.js'

/** Files by kind; a kind without a file is not checked. */
export type ReferenceFiles = Readonly<Partial<Record<DatasetKind, string>>>

/** Status of a set: no file, active, or unreadable without an earlier version that could stay active. */
export type ReferenceStatus = 'missing' | 'loaded' | 'failed'

/** State of one set. */
export interface ReferenceState {
  readonly kind: DatasetKind
  readonly status: ReferenceStatus
  readonly version: string | undefined
  readonly source: string | undefined
  readonly digest: string | undefined
  readonly records: number
  /** Time of publication, otherwise of reading; in ms since the Unix epoch. */
  readonly asOfMs: number | undefined
  /** Reason why the current file was refused; the previous set stays active. */
  readonly fault: string | undefined
}

interface Entry {
  state: ReferenceState
  /** Identity of the file that was read last; the file is read again if it differs. */
  seen: string
}

/** Callback for each change, for the log. */
export type ReferenceListener = (state: ReferenceState) => void

const faultText = (faults: readonly DatasetFault[]): string => {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return `${first?.path || 'file'}: ${first?.value} is not ${first?.expected}${more}`
}

/** Reference data of one node. */
export class ReferenceData {
  private readonly entries = new Map<DatasetKind, Entry>()
  private indexes: ReferenceIndexes = { bic: undefined, iban: undefined, currency: undefined }

  constructor(
    private readonly files: ReferenceFiles,
    private readonly wallMs: () => number,
    private readonly changed: ReferenceListener = () => undefined,
  ) {
    for (const kind of DATASETS) {
      const state = { kind, status: 'missing' as const, records: 0, ...NOTHING }
      this.entries.set(kind, { state, seen: '' })
    }
  }

  /** Read every new or changed file. An invalid file never replaces a valid set. */
  async refresh(): Promise<void> {
    for (const kind of DATASETS) {
      const file = this.files[kind]
      const entry = this.entries.get(kind)
      if (file !== undefined && entry !== undefined) await this.read(kind, file, entry)
    }
  }

  /** State of every set. */
  states(): readonly ReferenceState[] {
    return [...this.entries.values()].map((entry) => entry.state)
  }

  /** Reason why no message can be validated: a configured set has never been loaded. */
  unavailable(): LedgerError | undefined {
    const failed = this.states().find((state) => state.status === 'failed')
    if (failed === undefined) return undefined
    return new LedgerError('iso_refdata', `the ${failed.kind} reference data of this node is not available`)
  }

  /** Faults of a payment against the active sets. */
  check(payment: Payment, definition: string | undefined): IsoFault[] {
    return checkReferences(this.indexes, payment, definition)
  }

  private async read(kind: DatasetKind, file: string, entry: Entry): Promise<void> {
    let bytes: Buffer
    try {
      const { mtimeMs, size, ino } = await stat(file)
      const seen = `${mtimeMs}:${size}:${ino}`
      if (seen === entry.seen) return
      bytes = await readFile(file)
      entry.seen = seen
    } catch (error) {
      // Retried at the next refresh, reported once.
      entry.seen = ''
      return this.fail(entry, errorCode(error) ?? 'it cannot be read')
    }
    const result = readDataset(kind, bytes)
    if (!result.ok) return this.fail(entry, faultText(result.faults))
    const { version, source, digest, entries, fetchedAtMs } = result.dataset
    this.indexes = { ...this.indexes, [kind]: INDEX_OF[kind](result.dataset as never) }
    const asOfMs = fetchedAtMs ?? this.wallMs()
    entry.state = { kind, status: 'loaded', version, source, digest, records: entries.length, asOfMs, fault: undefined }
    this.changed(entry.state)
  }

  private fail(entry: Entry, fault: string): void {
    if (entry.state.fault === fault) return
    const status = entry.state.status === 'loaded' ? 'loaded' : 'failed'
    entry.state = { ...entry.state, status, fault }
    this.changed(entry.state)
  }
}

const NOTHING = { version: undefined, source: undefined, digest: undefined, asOfMs: undefined, fault: undefined }

const INDEX_OF: {
  readonly [K in DatasetKind]: (dataset: Dataset<DatasetEntries[K]>) => NonNullable<ReferenceIndexes[K]>
} = {
  bic: (dataset) => new BicIndex(dataset),
  iban: (dataset) => new IbanIndex(dataset),
  currency: (dataset) => new CurrencyIndex(dataset),
}
