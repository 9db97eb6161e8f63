/** Owns the long chaos run: `node dist/test/chaos/soak.js SEED KILLS [large]`; prints what happened as JSON. */
import { runChaos } from './run.js'

const [seed = '1', kills = '200', payloads] = process.argv.slice(2)
const log = (line: string): void => void process.stderr.write(`${line}\n`)
const report = await runChaos({ seed: Number(seed), kills: Number(kills), largePayloads: payloads === 'large', log })
const { failPoints, actions, ...rest } = report
const shown = { ...rest, fail_points: Object.fromEntries(failPoints), actions: Object.fromEntries(actions) }
process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`)
