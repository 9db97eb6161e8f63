/** Owns the report of a load test: throughput, latencies, outcomes, and the histogram. Pure. */

import { pairs } from '../terminal/output.js'
import { count } from '../text/figures.js'
import type { LoadReport } from './bench-payments.js'
import { histogramLines } from './latencies.js'

/** Outcomes that are not refusals. */
const NOT_REJECTED: ReadonlySet<string> = new Set(['approved', 'pending', 'unreachable'])

/** Time with its significant digits. */
const msText = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : count(ms)} ms`

/** Lines of the summary of a load. */
export function summaryText(report: LoadReport): string {
  const { submitted, committed, rejected, unanswered, perSecond, latencies, histogram, counts, stopped } = report
  const { unmeasured } = report
  const failed = Object.entries(counts).filter(([outcome]) => !NOT_REJECTED.has(outcome))
  const why = failed.map(([code, number]) => `${code} ${count(number)}`).join(', ')
  const lines = [
    pairs([
      ['submitted', count(submitted)],
      ['committed', `${count(committed)}, ${perSecond < 10 ? perSecond.toFixed(1) : count(perSecond)} a second`],
      ['rejected', why === '' ? count(rejected) : `${count(rejected)} (${why})`],
      ['unanswered', count(unanswered)],
      [
        'unmeasured',
        unmeasured === 0 ? undefined : `${count(unmeasured)} of the committed, confirmed by a later lookup`,
      ],
      ...(latencies === undefined
        ? []
        : Object.entries(latencies).map(([name, ms]): [string, string] => [name, msText(ms)])),
    ]),
  ]
  if (histogram.length > 0) lines.push('', 'due to commit', ...histogramLines(histogram))
  if (stopped !== undefined) lines.push('', `The remaining payments were not sent: ${stopped}`)
  return lines.join('\n')
}
