/** Owns the report of a load test: throughput, latencies, outcomes, and the histogram. Pure. */

import { pairs } from '../command/output.js'
import { count } from '../text/figures.js'
import type { LoadReport } from './bench-payments.js'
import { histogramLines } from './latencies.js'

/** A time with so many digits as matter. */
const msText = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : count(ms)} ms`

/** The summary of a load as lines. */
export function summaryText(report: LoadReport): string {
  const { submitted, committed, rejected, unanswered, perSecond, latencies, histogram, counts, stopped } = report
  const failed = Object.entries(counts).filter(([outcome]) => outcome !== 'approved' && outcome !== 'pending')
  const why = failed.map(([code, number]) => `${code} ${count(number)}`).join(', ')
  const lines = [
    pairs([
      ['submitted', count(submitted)],
      ['committed', `${count(committed)}, ${perSecond < 10 ? perSecond.toFixed(1) : count(perSecond)} a second`],
      ['rejected', why === '' ? count(rejected) : `${count(rejected)} (${why})`],
      ['unanswered', count(unanswered)],
      ...(latencies === undefined
        ? []
        : Object.entries(latencies).map(([name, ms]): [string, string] => [name, msText(ms)])),
    ]),
  ]
  if (histogram.length > 0) lines.push('', 'submission to commit', ...histogramLines(histogram))
  if (stopped !== undefined) lines.push('', `The rest was not paid: ${stopped}`)
  return lines.join('\n')
}
