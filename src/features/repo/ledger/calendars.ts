/** Owns the calendars of business days. */
import { accounts } from '../../../executor/accounts.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { newGlobal } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { dayOfDate, sameIncarnation } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { SetBusinessCalendar } from '../schema/instructions.js'
import type { CalendarRow } from '../schema/records.js'
import { calendars } from './tables.js'

export const CAN_MANAGE_CALENDARS = newGlobal('CanManageCalendars')

/**
 * Reason why the authority may not set a calendar, or undefined. A calendar whose owner account was removed has no
 * owner.
 */
function ownerFault(ctx: ExecContext, row: CalendarRow | undefined): Rejection | undefined {
  const isOwned = row !== undefined && sameIncarnation(row.ownerIncarnation, ctx.get(accounts, row.owner)?.incarnation)
  if (!isOwned) return requirePermission(ctx, 'a new calendar', undefined, [CAN_MANAGE_CALENDARS, undefined])
  return row.owner === ctx.authority ? undefined : reject('not_permitted', 'setting the calendar requires its owner')
}

export const setBusinessCalendar: Execution<SetBusinessCalendar> = {
  // Parsing a date takes about a microsecond.
  cost: { base: 128, per: [{ teu: 4, item: 'holiday', count: ({ holidays }) => holidays.length }] },
  execute(ctx, { calendar, offsetMinutes, cutoffMinute, weekend, holidays: dates }) {
    const denied = ownerFault(ctx, ctx.get(calendars, calendar))
    if (denied) return denied
    const incarnation = ctx.get(accounts, ctx.authority)?.incarnation
    if (incarnation === undefined) return reject('unknown_account', 'the authority is not registered')
    if (new Set(weekend).size < weekend.length) return reject('bad_terms', 'a day of the weekend is named twice')
    const holidays = dates.map((date) => dayOfDate(date) ?? 0)
    if (holidays.some((day, at) => day <= (holidays[at - 1] ?? -1)))
      return reject('bad_terms', 'holidays must be ascending and unique, and not before 1970')
    ctx.set(calendars, calendar, {
      offsetMinutes,
      cutoffMinute,
      weekend,
      holidays,
      owner: ctx.authority,
      ownerIncarnation: incarnation,
    })
    ctx.emit(events.businessCalendarSet, { calendar, owner: ctx.authority })
    return undefined
  },
}
