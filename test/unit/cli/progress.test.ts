/** Progress bars: content and width of lines, and no output without a terminal. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Meter, span } from '../../../src/cli/terminal/meter.js'
import { withBar } from '../../../src/cli/terminal/progress-bar.js'
import { pause } from '../../support/ports.js'

const style = { columns: 100, colour: false }

describe('a progress line', () => {
  test('shows progress, rate and remaining time', () => {
    const meter = new Meter('importing', 'blocks', 0)
    meter.take({ done: 0, total: 1_200 }, 0)
    meter.take({ done: 300, total: 1_200, note: 'block 300' }, 3_000)
    expect(meter.line(3_000, style)).toBe(
      'importing  ██████░░░░░░░░░░░░░░░░░░  25%  300/1 200 blocks  100/s  ETA 9s  block 300',
    )
  })

  test('shows no remaining time in the first second or without a total', () => {
    const meter = new Meter('writing', 'rows', 0)
    meter.take({ done: 10 }, 100)
    expect(meter.line(900, style)).toBe('writing  10 rows  1s so far')
    meter.take({ done: 5_010 }, 5_100)
    expect(meter.line(5_100, style)).toBe('writing  5 010 rows  1 000/s  5s so far')
    expect(meter.remainingMs(5_100)).toBeUndefined()
  })

  test('uses the recent rate, not the rate of an hour ago', () => {
    const meter = new Meter('copying', 'bytes', 0)
    for (let second = 0; second <= 60; second += 1) {
      meter.take(
        { done: second <= 30 ? second * 1_000_000 : 30_000_000 + (second - 30) * 1_000, total: 1e9 },
        second * 1e3,
      )
    }
    expect(meter.rate(60_000)).toBeCloseTo(1_000, 6)
  })

  test('excludes progress made before the start from the rate', () => {
    const meter = new Meter('catching up', 'blocks', 0)
    meter.take({ done: 9_000, total: 10_000 }, 0)
    meter.take({ done: 9_500, total: 10_000 }, 5_000)
    expect(meter.rate(5_000)).toBe(100)
    expect(meter.line(5_000, style)).toContain('95%  9 500/10 000 blocks  100/s  ETA 5s')
  })

  test.each([20, 40, 59, 60, 100])('is never wider than a terminal of %i columns', (columns) => {
    const meter = new Meter('verifying', 'bytes', 0)
    meter.take({ done: 0, total: 4 * 1024 ** 3 }, 0)
    meter.take({ done: 1024 ** 3, total: 4 * 1024 ** 3, note: 'block 1000000' }, 10_000)
    const line = meter.line(10_000, { columns, colour: false })
    expect(line.length).toBeLessThan(columns)
    expect(line.includes('█')).toBe(columns >= 60)
    if (columns === 100) expect(line).toContain('25%  1.0 GiB/4.0 GiB  102.4 MiB/s  ETA 30s')
  })

  test('colours only the bar', () => {
    const meter = new Meter('copying', 'bytes', 0)
    meter.take({ done: 1, total: 2 }, 0)
    const plain = meter.line(0, style)
    const coloured = meter.line(0, { ...style, colour: true })
    expect(coloured).not.toBe(plain)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(coloured.replace(/\u001b\[\d*m/g, '')).toBe(plain)
  })

  test('formats durations readably', () => {
    expect([0, 8_400, 200_000, 7_500_000, -5].map(span)).toEqual(['0s', '8s', '3m 20s', '2h 05m', '0s'])
  })
})

describe('a progress bar', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.useRealTimers()
  })

  /** Output to a terminal of this kind while work runs, for two seconds by default. */
  async function drawn(terminal: { isTTY?: boolean }, silent = false, seconds = 2): Promise<string> {
    vi.useFakeTimers()
    vi.spyOn(performance, 'now').mockImplementation(() => Date.now())
    const written: string[] = []
    const out = { ...terminal, columns: 100, write: (text: string) => written.push(text) }
    const run = withBar({ label: 'copying', unit: 'blocks', silent, terminal: out }, async (report) => {
      for (let done = 1; done <= seconds * 10; done += 1) {
        report({ done, total: seconds * 10 })
        await pause(100)
      }
      return 'result'
    })
    await vi.advanceTimersByTimeAsync(seconds * 1_000 + 500)
    expect(await run).toBe('result')
    vi.restoreAllMocks()
    return written.join('')
  }

  test('is drawn on a terminal and erased at the end', async () => {
    vi.stubEnv('TERM', 'xterm')
    vi.stubEnv('NO_COLOR', undefined)
    const text = await drawn({ isTTY: true })
    expect(text).toContain('copying  ')
    expect(text).toContain('\u001b[36m')
    expect(text.endsWith('\r\u001b[2K')).toBe(true)
  })

  test('has no colour with NO_COLOR', async () => {
    vi.stubEnv('TERM', 'xterm')
    vi.stubEnv('NO_COLOR', '1')
    const text = await drawn({ isTTY: true })
    expect(text).toContain('█')
    expect(text).not.toContain('\u001b[36m')
  })

  test.each<[string, { isTTY?: boolean }, boolean, string]>([
    ['without a terminal', {}, false, 'xterm'],
    ['with --json or --quiet', { isTTY: true }, true, 'xterm'],
    ['on a terminal that cannot draw', { isTTY: true }, false, 'dumb'],
  ])('is not drawn %s', async (_name, terminal, silent, term) => {
    vi.stubEnv('TERM', term)
    expect(await drawn(terminal, silent)).toBe('')
  })

  test.each<[string, { isTTY?: boolean }, string]>([
    ['no terminal', {}, 'xterm'],
    ['a terminal that cannot draw', { isTTY: true }, 'dumb'],
  ])('becomes a plain line every five seconds with %s', async (_name, terminal, term) => {
    vi.stubEnv('TERM', term)
    expect(await drawn(terminal, false, 12)).toBe(
      'copying  41%  50/120 blocks  9.8/s  ETA 7s\ncopying  83%  100/120 blocks  9.9/s  ETA 2s\n',
    )
    expect(await drawn(terminal, true, 12)).toBe('')
  })
})
