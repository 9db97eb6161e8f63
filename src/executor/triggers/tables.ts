/** Owns the records of triggers in the world state, and the lists that find them without a scan. */
import { bool, type Infer, list, map, option, string, struct, u8, u16, u32, varint } from '../../codec/index.js'
import { accountId, incarnation, NAME_MAX_BYTES, name, TRIGGER_EVENTS_MAX, triggerFilter } from '../../model/index.js'
import { type PageTable, pageSchemas, type TableDef } from '../../state/index.js'

/**
 * Maximum data triggers in one list, and pre-commit triggers of a chain: the triggers that one event or one block can
 * start.
 */
export const TRIGGERS_PER_LIST_MAX = 64
export const PRE_COMMIT_MAX = 8
/** Maximum calendar pages and due times per page: a block reads the directory and the due pages. */
export const CALENDAR_PAGES_MAX = 64
export const CALENDAR_PAGE_MAX = 64
/**
 * Maximum time triggers of a chain: with pages three quarters full on average, a due time can always be moved to
 * another page.
 */
export const CALENDAR_DUES_MAX = Math.floor((CALENDAR_PAGES_MAX * CALENDAR_PAGE_MAX * 3) / 4)

/** Maximum time triggers of one account, so that no account can fill the shared calendar. */
export const TIMERS_PER_ACCOUNT_MAX = 64

/** Run postponed by a block of a late view, because it may have caused earlier views to fail. */
export interface TriggerPause extends Infer<typeof triggerPause> {}
const triggerPause = struct('TriggerPause', {
  /** Number of consecutive postponements. */
  strikes: u8,
  /** End of the pause. */
  untilMs: varint,
  /** Original due time. */
  sinceMs: varint,
})

/** Registered trigger. Times are header times in ms since the Unix epoch. */
export interface Trigger extends Infer<typeof trigger> {}
export const trigger = struct('Trigger', {
  /** Account that its instructions run as; it owns the trigger. */
  authority: accountId,
  filter: triggerFilter,
  /** Size of its instructions, which are stored in pages, and the weight of their JSON. */
  instructionBytes: u32,
  instructionWeight: u32,
  /** Remaining runs; undefined: unlimited. */
  repeats: option(u32),
  enabled: bool,
  /** Consecutive failures of a time or pre-commit trigger. */
  failures: u8,
  /** Next due time of an enabled time trigger. */
  dueMs: option(varint),
  /** Pause of a time or pre-commit trigger after late views; its next run is the only one of its block. */
  pause: option(triggerPause),
  /**
   * Incarnation of the account that a data trigger watches; an account registered again under the id is a different
   * account.
   */
  watched: option(incarnation),
  incarnation,
})
export const triggers: TableDef<string, Trigger> = {
  id: 33,
  name: 'triggers',
  bound: {
    holds: 'one trigger with 16 events',
    filledBy: 'RegisterTrigger',
    atBound: 'leaves with its last run or UnregisterTrigger',
  },
  key: name,
  value: trigger,
}
/** Instructions of triggers. */
export const triggerPages: PageTable<string> = {
  id: 47,
  name: 'trigger_pages',
  bound: {
    holds: '32 KiB of instructions',
    filledBy: 'RegisterTrigger',
    atBound: '128 KiB a trigger: `instructions_limit`; leaves with its trigger',
  },
  ...pageSchemas('TriggerPage', name),
}

/** Maximum length of a list key: subject, kind of scope, `name#domain#` and the hex of an account, in bytes. */
const LIST_KEY_MAX_BYTES = 64 + 3 + 2 * NAME_MAX_BYTES + 2 + 80 + 24
/** Event kinds of a trigger in a list, by number, so that a full list is one row; empty: all events of the subject. */
export type Wanted = ReadonlyMap<string, readonly number[]>
/** Enabled triggers by subject and scope. Map keys are ordered by length first, so reads sort the ids by their bytes. */
export const triggerLists: TableDef<string, Wanted> = {
  id: 34,
  name: 'trigger_lists',
  bound: {
    holds: '64 triggers; 8 that run at the end of a block',
    filledBy: 'RegisterTrigger, ChangeRepeats',
    atBound: '`too_many_triggers`',
  },
  key: string(LIST_KEY_MAX_BYTES),
  value: map(name, list(u16, TRIGGER_EVENTS_MAX), TRIGGERS_PER_LIST_MAX),
}

/** Page of the calendar as stored in the directory. */
export interface PageEntry extends Infer<typeof pageEntry_> {}
const pageEntry_ = struct('CalendarPageEntry', {
  /** Page number, below CALENDAR_PAGES_MAX; numbers of removed pages are reused. */
  page: u8,
  /** Earliest due time on the page and its trigger. */
  firstMs: varint,
  firstId: name,
  count: u8,
})
/** Pages ordered by due time. */
export interface CalendarDirectory extends Infer<typeof directory_> {}
const directory_ = struct('CalendarDirectory', { pages: list(pageEntry_, CALENDAR_PAGES_MAX) })
/** Key of the only row of the directory. */
const only = string(1)
export const calendar: TableDef<string, CalendarDirectory> = {
  id: 35,
  name: 'calendar',
  bound: {
    holds: '64 pages',
    filledBy: 'RegisterTrigger, ChangeRepeats',
    atBound: '3,072 time triggers of a chain, 64 of an account: `too_many_triggers`; 48 accounts can fill it',
  },
  key: only,
  value: directory_,
}

/** Due time. */
export interface Due extends Infer<typeof due_> {}
const due_ = struct('CalendarDue', { dueMs: varint, id: name })
export const calendarPages: TableDef<number, readonly Due[]> = {
  id: 36,
  name: 'calendar_pages',
  bound: {
    holds: '64 due times',
    filledBy: 'RegisterTrigger, ChangeRepeats',
    atBound: 'a page is split, at 64 pages all are packed again',
  },
  key: u8,
  value: list(due_, CALENDAR_PAGE_MAX),
}

export const TRIGGER_TABLES = [triggers, triggerPages, triggerLists, calendar, calendarPages]
