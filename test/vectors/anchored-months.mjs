/**
 * Writes anchored-months.json: 48 consecutive anchors for each of 1,000 anchors of monthly plans, by the recurrence rules of RFC 5545.
 * The rule of day 31 is the last of the days 28 to 31 that a month has. Run it in a folder with rrule 2.8.1 installed:
 * `node anchored-months.mjs > anchored-months.json`.
 */
import { createHash } from 'node:crypto'
import rrule from 'rrule'

const { RRule } = rrule
const ANCHORS = 1_000
const MONTHS = 48
const DAY_MS = 86_400_000

/** Number below a bound, from a seed and the place of the number. */
const drawn = (place, bound) => createHash('sha256').update(`anchored months ${place}`).digest().readUInt32BE(0) % bound

const anchors = Array.from({ length: ANCHORS }, (_, index) => {
  const day = index < 124 ? 28 + (index % 4) : 1 + drawn(`day ${index}`, 31)
  const time_ms = drawn(`time ${index}`, DAY_MS / 1_000) * 1_000
  const start = Date.UTC(1970 + drawn(`year ${index}`, 430), drawn(`month ${index}`, 12), 1) + time_ms
  const bymonthday = day < 28 ? [day] : Array.from({ length: day - 27 }, (_unused, at) => 28 + at)
  const rule = new RRule({ freq: RRule.MONTHLY, dtstart: new Date(start), bymonthday, bysetpos: -1, count: MONTHS })
  const dates = rule.all()
  const months = dates.map((date) => date.getUTCFullYear() * 12 + date.getUTCMonth())
  if (dates.length !== MONTHS || months.some((month, at) => month !== months[0] + at)) throw new Error('a month has no anchor')
  if (dates.some((date) => date.getTime() % DAY_MS !== time_ms)) throw new Error('an anchor has another time')
  return { day, time_ms, first_ms: dates[0].getTime(), days: dates.map((date) => date.getUTCDate()).join(' ') }
})
process.stdout.write(`[\n${anchors.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
