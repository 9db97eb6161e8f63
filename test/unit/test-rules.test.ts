/** The check of tests bites: each thing that it forbids is told, and what looks like it is not. */
import { expect, it } from 'vitest'
import { check, faultsIn } from '../../scripts/test-rules.mjs'

const faultsOf = (text: string, path = 'test/unit/a.test.ts'): string[] =>
  faultsIn(path, text).map((fault) => fault.slice(`${path}:1 `.length))

it('the tests follow the rules, and every listed exception is still needed', () => {
  expect(check()).toEqual([])
})

const PORT = 'listens on a port of its own choice: use freePorts or port 0'
const MEASURED = 'expects something of a measured time'
const UNEXPLAINED = 'skips a test without a reason: use needs(reason), or skip(reason) of the test context'
const FAKES = 'fakes what its worker process runs on: list timers and clocks alone in toFake'
const ENDS = 'ends after a time of its own: leave it out, or add to TEST_MS'

it.each([
  ['a chosen port', 'server.listen(8080)', PORT],
  ['a chosen port among options', "server.listen({ host: '127.0.0.1', port: 8080 })", PORT],
  [
    'a random port',
    'const port = randomInt(1024, 65536)',
    'calls randomInt: use freePorts, or a generator with a seed',
  ],
  [
    'a process that may be its own group',
    'process.kill(-(child.pid ?? 0))',
    'may signal its own process group: throw if there is no process id',
  ],
  ['chance', 'const one = Math.random()', 'uses Math.random: use a generator with a seed'],
  ['a limit on measured time', 'expect(performance.now() - startMs).toBeLessThan(500)', MEASURED],
  ['a limit on a duration', 'expect(run.elapsedMs).toBeLessThan(500)', MEASURED],
  [
    'an awaited timer',
    'await new Promise((resolve) => setTimeout(resolve, 50))',
    'waits with a timer of its own: use until, or pause where nothing may happen',
  ],
  [
    'a request that gives up early',
    'fetch(url, { signal: AbortSignal.timeout(500) })',
    'gives up after a time of its own: use PATIENCE_MS',
  ],
  [
    'a condition with the deadline of the runner',
    'await vi.waitFor(() => expect(got).toBe(1))',
    'waits for less than minutes: give vi.waitFor PATIENCE_MS',
  ],
  [
    'a condition with a short deadline',
    'await vi.waitUntil(() => got === 1, { timeout: 5_000 })',
    'waits for less than minutes: give vi.waitUntil PATIENCE_MS',
  ],
  ['a hook with a time', 'beforeAll(async () => {}, 60_000)', ENDS],
  ['a test of a table with a time', "it.each([1])('%i', () => {}, 60_000)", ENDS],
  ['a test with a time among options', "it('a', { timeout: 60_000 }, () => {})", ENDS],
  ['a file with a time', 'vi.setConfig({ testTimeout: 60_000 })', ENDS],
  [
    'the program in the folder of the repository',
    "spawn(process.execPath, [EXECUTABLE, 'status'], { env })",
    'starts the program in this folder: use startCauseway',
  ],
  ['a test that is skipped', "it.skip('a', () => {})", UNEXPLAINED],
  ['a group of tests that is skipped', "describe.skip('a', () => {})", UNEXPLAINED],
  ['a test that is skipped by a condition', "test.skipIf(isRoot)('a', () => {})", UNEXPLAINED],
  ['a table of tests that runs by a condition', "it.runIf(isLinux).each([1])('%i', () => {})", UNEXPLAINED],
  ['a test that is to be written', "it.todo('a')", UNEXPLAINED],
  ['a test that is skipped by an option', "it('a', { skip: isRoot }, () => {})", UNEXPLAINED],
  ['a test that skips itself without a reason', "it('a', ({ skip }) => skip())", UNEXPLAINED],
])('the check of the test rules reports %s', (_what, text, fault) => {
  expect(faultsOf(text)).toEqual([fault])
})

it.each([
  ['a port that the system chooses', "server.listen(0, '127.0.0.1')"],
  ['a port of the allocator', 'server.listen(port)'],
  ['a value with the name of a duration', 'expect(watch.took).toEqual({ ms: 0 })'],
  ['a duration that grows with the work', "it('a', { timeout: TEST_MS + 5 * COUNT }, () => {})"],
  ['a timer with an action', 'const timer = setInterval(() => drip(), 100)'],
  ['a condition with minutes', 'await vi.waitFor(() => got, { timeout: PATIENCE_MS })'],
  ['another program', "spawn(process.execPath, ['-e', script])"],
  ['a test that declares what it needs', "it('a', needs(LINUX_MISSING), () => {})"],
  ['a test that skips itself with a reason', "it('a', ({ skip }) => skip('no database'))"],
  ['a method of another object with the name of a skip', 'reader.skip(4)'],
  ['faked timers in a thread', 'vi.useFakeTimers()'],
  ['the program in a folder of its own', "spawn(process.execPath, [EXECUTABLE, 'status'], { cwd: folder, env })"],
])('the check of the test rules does not report %s', (_what, text) => {
  expect(faultsOf(text)).toEqual([])
})

it.each([
  ['all timers', 'vi.useFakeTimers()', [FAKES]],
  ['timers by a clock alone', 'vi.useFakeTimers({ now: 0 })', [FAKES]],
  ['functions that schedule work', "vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })", [FAKES]],
  ['named timers', "vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })", []],
])('a test file in its own process that fakes %s has these faults: %s', (_what, text, faults) => {
  expect(faultsOf(text, 'test/cli/a.test.ts')).toEqual(faults)
})
