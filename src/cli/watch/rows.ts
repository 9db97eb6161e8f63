/** Owns the lists with filter and selection: the full text of a row, and the text copied from it. */

import type { RbcSessionRecord } from '../../api/index.js'
import { durationText } from '../../base/duration-text.js'
import { clean } from '../text/escape.js'
import { clockText } from '../text/figures.js'
import { type LaneRow, laneRows } from './lane-rows.js'
import type { WatchEvent, WatchModel } from './model.js'
import { namedEvent } from './names.js'
import { bytesText } from './text.js'
import type { SortName, Ui } from './ui-state.js'
import { type ValidatorRow, validatorRows } from './validator-rows.js'

/** Selectable row: its details, and the text copied by `c`. */
export interface PaneRow {
  readonly title: string
  readonly pairs: readonly (readonly [string, string])[]
  readonly copy: string | undefined
}

const has = (ui: Ui, ...texts: readonly string[]): boolean => {
  const wanted = ui.filter.toLowerCase()
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
}

/** Sort orders of validators. The committee is drawn anew at every height, so its order is not the default. */
const ORDERS: Readonly<Record<SortName, (a: ValidatorRow, b: ValidatorRow) => number>> = {
  trouble: (a, b) => b.trouble - a.trouble || byName(a, b),
  name: byName,
  place: (a, b) => (a.place ?? PLACES_MAX) - (b.place ?? PLACES_MAX) || byName(a, b),
}
/** Sort position after every member of the largest committee. */
const PLACES_MAX = 65_536

/** Order of validators: members of the committee before validators without a vote, then by name. */
function byName(a: ValidatorRow, b: ValidatorRow): number {
  const votes = Number(a.place === undefined) - Number(b.place === undefined)
  return votes || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

/** Sorted and filtered validators; in the overview the filter applies to the events. */
export function shownValidators(model: WatchModel, ui: Ui): readonly ValidatorRow[] {
  const rows = [...validatorRows(model)].sort(ORDERS[ui.sort])
  return ui.pane === 'overview' ? rows : rows.filter((row) => has(ui, row.name, row.role, row.key, row.error ?? ''))
}

export const shownSessions = (model: WatchModel, ui: Ui): readonly RbcSessionRecord[] =>
  ui.pane === 'overview'
    ? model.sessions
    : model.sessions.filter((one) => has(ui, `h${one.height}`, Buffer.from(one.blockHash).toString('hex')))

export const shownLanes = (model: WatchModel, ui: Ui): readonly LaneRow[] =>
  laneRows(model).filter((row) => ui.pane === 'overview' || has(ui, row.alias, String(row.lane)))

/** Events, newest first. */
export const shownEvents = (model: WatchModel, ui: Ui): readonly WatchEvent[] => {
  const wanted = ui.pane === 'transactions' ? model.transactions : model.events
  const named = wanted.map((event) => namedEvent(model, event))
  return named.filter((event) => has(ui, event.kind, event.text)).reverse()
}

/** Rows of the open pane. */
export function shownRows(model: WatchModel, ui: Ui): readonly PaneRow[] {
  switch (ui.pane) {
    case 'overview':
    case 'validators':
      return shownValidators(model, ui).map(validatorDetail)
    case 'broadcast':
      return shownSessions(model, ui).map(sessionDetail)
    case 'lanes':
      return shownLanes(model, ui).map(laneDetail)
    case 'transactions':
    case 'events':
      return shownEvents(model, ui).map(eventDetail)
  }
}

const validatorDetail = (row: ValidatorRow): PaneRow => ({
  title: `Validator ${row.name}`,
  pairs: [
    ['key', row.key],
    ['role', row.role],
    ['address', row.address ?? '-'],
    ['link', row.link],
    ['last error', row.error ?? '-'],
    ['round trip', row.roundTripMs === undefined ? '-' : `${row.roundTripMs} ms`],
    ['in the last commit certificate', row.signedLast === undefined ? '-' : row.signedLast ? 'yes' : 'no'],
    ['votes at this height and view', votesText(row)],
    ['behind this node', row.behind === undefined ? '-' : `${row.behind} blocks`],
    ['signed', `${row.signed} of the last ${row.seen} certificates that were seen`],
    ['not in a certificate for', `${row.silent} commits`],
  ],
  copy: row.key,
})

/** Text of its votes that the node has. */
function votesText({ votes }: ValidatorRow): string {
  if (votes === undefined) return '-'
  const cast = [votes.prepare ? 'prepare' : '', votes.commit ? 'commit' : ''].filter((one) => one !== '')
  return cast.length === 0 ? 'none on this node' : cast.join(', ')
}

const sessionDetail = (one: RbcSessionRecord): PaneRow => {
  const hash = Buffer.from(one.blockHash).toString('hex')
  return {
    title: `Payload of height ${one.height}, view ${one.view}`,
    pairs: [
      ['block', hash],
      ['payload', Buffer.from(one.payloadHash).toString('hex')],
      ['size', bytesText(one.payloadBytes)],
      ['chunks', `${one.receivedChunks} of ${one.totalChunks}`],
      ['ready, delivered', `${one.readyCount}, ${one.deliverCount} members`],
      ['state', one.invalid ? 'invalid' : one.delivered ? 'delivered' : one.ended ? 'ended' : 'in transit'],
      ['recovered', one.recovered ? 'yes' : 'no'],
      ['age', durationText(one.ageMs)],
    ],
    copy: hash,
  }
}

const laneDetail = (row: LaneRow): PaneRow => ({
  title: `Lane ${row.lane} ${row.alias}`,
  pairs: [
    ['dataspace', row.dataspace],
    ['units of the last block', `${row.committed} of ${row.capacity === 0 ? 'no separate limit' : row.capacity}`],
    ['transactions of the last block', String(row.transactions)],
    ['waiting', `${row.backlog} units, for ${row.ageBlocks} blocks`],
    ['deferred: lane full', String(row.capExceeded)],
    ['deferred: block full', String(row.blockFull)],
    ['longest wait', `${row.starvationBound} proposals`],
  ],
  copy: undefined,
})

const eventDetail = (event: WatchEvent): PaneRow => ({
  title: `${event.kind} ${clockText(event.atMs)}`,
  pairs: [
    ['what', event.text],
    ...Object.entries(event.fields).map(
      ([name, value]) => [name, clean(typeof value === 'string' ? value : JSON.stringify(value))] as const,
    ),
  ],
  copy: event.hash,
})
