/** The dashboard in a real pseudo-terminal, before a gateway that commits, changes views, stalls, goes away and comes back. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConsensusStatus } from '../../src/api/index.js'
import type { Gateway } from '../../src/gateway/index.js'
import { pause } from '../support/ports.js'
import { blockAt } from '../unit/gateway/fake-chain.js'
import { consensusRecord, FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { keyOf, shortOf } from './models.js'
import { Terminal } from './terminal.js'

let node: FakeNode
let gateway: Gateway
let url: string
let terminal: Terminal | undefined

const view = (changes: Partial<ConsensusStatus> = {}): ConsensusStatus =>
  consensusRecord({
    committee: [0, 1, 2, 3].map(keyOf),
    commitCommittee: [0, 1, 2, 3].map(keyOf),
    proposer: keyOf(1),
    quorum: 3,
    faultBudget: 1,
    view: 0,
    viewChanges: 0,
    viewChangeReasons: new Map(),
    stall: undefined,
    ...changes,
  })

beforeEach(async () => {
  node = new FakeNode()
  node.consensus = () => view()
  Object.assign(node.services.info, { validatorKey: keyOf(0) })
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
})
afterEach(async () => {
  terminal?.close()
  terminal = undefined
  await gateway.close()
})

function watch(
  columns: number,
  rows: number,
  more: readonly string[] = [],
  env: Record<string, string> = {},
): Terminal {
  terminal = new Terminal(['watch', '--gateway', url, ...more], columns, rows, env)
  return terminal
}

/** A block of three transactions, and the status after it. */
async function commit(height: number): Promise<void> {
  const now = view({ height, decidingHeight: height + 1 })
  node.consensus = () => now
  node.commit(await blockAt(height, [[], [], 'rejected']))
}

/** A frame without what depends on when it was drawn: digits, durations with their padding, hashes, graphs of the last seconds. */
const still = (text: string): string =>
  `${text
    .replaceAll(/[0-9a-f]{4}…[0-9a-f]{4}/g, 'hash…hash')
    .replaceAll(/[\d.]+ m?s\b/g, '9 s')
    .replaceAll(/\d+/g, '9')
    .split('\n')
    .map((line) =>
      (/(tx|pay)\/s|queue/.test(line) ? line.replaceAll(/[▁-█]/g, ' ') : line).replaceAll(/ {2,}/g, '  ').trimEnd(),
    )
    .join('\n')}\n`

describe.each([
  [120, 36],
  [80, 24],
  [60, 16],
])('in a terminal of %i columns and %i rows', (columns, rows) => {
  test('shows a commit, a view change, a stall with its end, and a lost and recovered node, and quits', async () => {
    const screen = watch(columns, rows)
    await screen.until(/LIVE/)
    expect(screen.screen.other).toBe(true)
    await screen.until(/Height 8.*✗ DOWN/s)
    await commit(8)
    await screen.until(/COMMIT h8 .*3 tx, 1 rejected/)
    const frame = await screen.until(/Height 9.*✗ DOWN/s)
    await expect(still(frame)).toMatchFileSnapshot(`frames/terminal-${columns}x${rows}.txt`)

    node.consensus = () =>
      view({ height: 8, decidingHeight: 9, view: 1, viewChanges: 1, viewChangeReasons: new Map([['noProposal', 1]]) })
    await screen.until(/VIEW +h9 v1 leader \S+ \(noProp/)

    const text = `h9 v1: no proposal; 2 of 3 votes; waiting for ${shortOf(3)} (connected, no vote)`
    node.consensus = () =>
      view({
        height: 8,
        decidingHeight: 9,
        view: 1,
        viewChanges: 1,
        stall: { reason: 'no_proposal', sinceMs: Date.now() - 14_000, missing: [shortOf(3)], text },
      })
    const stalled = await screen.until(/! STALLED 1\d/)
    expect(stalled.replaceAll(/\s+/g, ' ')).toContain(`no proposal; 2 of 3 votes; waiting for ${shortOf(3)}`)
    expect(stalled).toMatch(/✗ WAIT/)
    await commit(9)
    await screen.until((shown) => /MOVES +the chain advances/.test(shown) && !shown.includes('! STALLED'))

    await gateway.close()
    const lost = await screen.until(/● LOST \d.*retrying/)
    expect(lost).toContain('Height 10')
    gateway = gatewayOf(node, { telemetryProfile: 'full', address: url.replace('http://', '') })
    await gateway.listen()
    await screen.until((shown) => /BACK +the node responds again/.test(shown) && shown.includes('● LIVE'))
    await commit(10)
    await screen.until(/Height 11/)

    screen.press('q')
    expect(await screen.ended).toBe(0)
    expect([screen.screen.other, screen.screen.cursor, screen.screen.unknown]).toEqual([false, true, []])
  })
})

describe('in one terminal', () => {
  test('a resize changes the layout, and a tiny terminal shows the required size', async () => {
    const screen = watch(120, 36)
    expect(await screen.until(/Certificates/)).toContain('Throughput and queue')
    screen.resize(80, 24)
    const compact = await screen.until((text) => text.includes('leader') && !text.includes('Certificates'))
    expect(Math.max(...compact.split('\n').map((line) => line.length))).toBe(80)
    screen.resize(50, 10)
    await screen.until(/^need 60x16, have 50x10/)
    screen.resize(60, 16)
    await screen.until((text) => text.split('\n')[15]?.includes('q quit') === true)
    screen.resize(120, 36)
    await screen.until(/Certificates/)
    screen.press('\u0003')
    expect(await screen.ended).toBe(130)
    expect(screen.screen.other).toBe(false)
  })

  test('keys control panes, details, filter, pause, help, copy and export', async () => {
    const screen = watch(100, 30)
    await screen.until(/Height 8/)
    await commit(8)
    await screen.until(/COMMIT h8/)
    screen.press('2')
    await screen.until(/┌─ Validators ─/)
    screen.press('j\r')
    await screen.until(/in the last commit certificate/)
    screen.press('c')
    await screen.until(/sent to the clipboard: ea0130/)
    screen.press('6/commit')
    await screen.until(/filter: commit█/)
    screen.press('\r')
    await screen.until(/Events {2}filter: commit/)
    screen.press('p')
    await screen.until(/PAUSED/)
    await commit(9)
    await pause(1_500)
    expect(screen.screen.text()).not.toContain('COMMIT h9')
    screen.press('p')
    await screen.until(/COMMIT h9/)
    screen.press('?')
    await screen.until(/┌─ Keys ─/)
    screen.press('\u001b')
    await screen.until((text) => !text.includes('┌─ Keys ─'))
    screen.press('e')
    await screen.until(/written to causeway-watch-/)
    const file = readdirSync(screen.home).find((name) => name.startsWith('causeway-watch-')) ?? ''
    expect(JSON.parse(readFileSync(join(screen.home, file), 'utf8'))).toMatchObject({
      chain: 'test-chain',
      consensus: { height: 9 },
      connection: { state: 'live' },
    })
    screen.press('\t\t')
    await screen.until(/┌─ Validators ─/)
    screen.press('q')
    expect(await screen.ended).toBe(0)
  })

  test('n switches to the node of the next profile and back, and reports an unreachable node', async () => {
    const other = new FakeNode()
    other.consensus = () => view({ height: 41, decidingHeight: 42 })
    Object.assign(other.services.info, { validatorKey: keyOf(3) })
    const second = gatewayOf(other, { telemetryProfile: 'full' })
    const { url: otherUrl } = await second.listen()
    const home = mkdtempSync(join(tmpdir(), 'causeway-profiles-'))
    mkdirSync(join(home, 'causeway'))
    const profiles = { second: { gateway: otherUrl }, away: { gateway: 'http://127.0.0.1:1' } }
    writeFileSync(join(home, 'causeway', 'config.json'), JSON.stringify({ profiles }))
    const screen = watch(120, 36, [], { XDG_CONFIG_HOME: home })
    await screen.until(/Height 8 /)
    screen.press('n')
    await screen.until((text) => text.includes('Height 42 ') && text.includes(otherUrl))
    screen.press('n')
    await screen.until(/127\.0\.0\.1:1 does not respond/)
    screen.press('n')
    await screen.until(/Height 8 /)
    screen.press('q')
    expect(await screen.ended).toBe(0)
    await second.close()
    rmSync(home, { recursive: true })
  })

  test('SIGTERM restores the terminal', async () => {
    const screen = watch(80, 24)
    await screen.until(/LIVE/)
    screen.signal('SIGTERM')
    expect(await screen.ended).toBe(143)
    expect([screen.screen.other, screen.screen.cursor]).toEqual([false, true])
  })

  test('NO_COLOR removes the colours and --ascii every non-ASCII character', async () => {
    const screen = watch(80, 24, ['--ascii'], { NO_COLOR: '1' })
    expect(await screen.until(/LIVE/)).toMatch(/^[\x20-\x7e\n]+$/)
    expect(screen.screen.coloured).toBe(false)
    screen.press('t')
    await screen.until(/colours are off: NO_COLOR/)
    screen.press('q')
    expect(await screen.ended).toBe(0)
    const coloured = watch(80, 24)
    await coloured.until(/LIVE/)
    expect(coloured.screen.coloured).toBe(true)
  })

  test('a terminal without cursor movement receives lines, and a screen reader receives sentences', async () => {
    const dumb = watch(80, 24, [], { TERM: 'dumb' })
    await dumb.until(/NODE +ea0130/)
    expect(dumb.screen.other).toBe(false)
    dumb.close()
    const reader = watch(200, 24, [], { INK_SCREEN_READER: 'true' })
    await reader.until(/Watching test-chain at .* 4 validators, quorum 3\./)
    node.consensus = () => view({ view: 1, viewChanges: 1, viewChangeReasons: new Map([['noProposal', 1]]) })
    await reader.until(/View change: h8 v1 leader \S+ \(noProposal\)\./)
    expect(reader.screen.other).toBe(false)
  })

  test('a node with few routes is shown with its available data', async () => {
    await gateway.close()
    gateway = gatewayOf(node, { telemetryProfile: 'operator' })
    url = (await gateway.listen()).url
    const screen = watch(120, 36)
    await screen.until(/not served: the telemetry profile operator/)
    expect(await screen.until(/Height 8/)).toContain('LIVE')
  })
})
