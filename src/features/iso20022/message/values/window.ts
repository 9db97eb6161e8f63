/** Owns the settlement window: the maximum distance of a settlement date from today. */
import type { IsoFault } from '../fault.js'
import { checkDate, daysBetween } from './date.js'
import type { ValueProblem } from './problem.js'

/** Settlement dates accepted around `today`; an undefined bound is not checked. */
export interface SettlementWindow {
  readonly today: string
  readonly pastDays?: number | undefined
  readonly futureDays?: number | undefined
}

/** Problem of a calendar date outside the window; undefined: none. */
export function windowProblem(
  date: string,
  { today, pastDays, futureDays }: SettlementWindow,
): ValueProblem | undefined {
  const days = daysBetween(today, date)
  if (pastDays !== undefined && days < -pastDays) {
    return {
      code: 'date_past',
      expected: `at most ${pastDays} days before ${today}`,
      reasonCode: 'DT01',
      hint: 'The settlement date is too far in the past.',
    }
  }
  if (futureDays !== undefined && days > futureDays) {
    return {
      code: 'date_future',
      expected: `at most ${futureDays} days after ${today}`,
      reasonCode: 'DT04',
      hint: 'The settlement date is too far in the future.',
    }
  }
  return undefined
}

/** Fault of a settlement date given outside a body; undefined if the date is valid. */
export function checkSettlementDate(date: string, window: SettlementWindow | undefined): IsoFault | undefined {
  const problem = checkDate(date) ?? (window === undefined ? undefined : windowProblem(date, window))
  if (problem === undefined) return undefined
  const { code, expected, reasonCode, hint = '' } = problem
  return { code, path: '/IntrBkSttlmDt', line: 0, column: 0, value: date, expected, reasonCode, hint }
}
