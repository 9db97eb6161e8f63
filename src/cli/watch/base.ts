/** Owns the base class of `watch` and its alias: from flags to a run. */
import type { Interfaces } from '@oclif/core'
import { BaseCommand, type globalFlags } from '../command/base-command.js'
import { clientOf, withGateway } from '../gateway/gateway.js'
import { identityOf } from '../gateway/node-names.js'
import { leaveWithReader } from '../terminal/standard-output.js'
import { oneLine } from '../text/escape.js'
import { modeOf, sizeOf, watchedGateway, type watchFlags } from './command.js'

/** Timeout of a polled request, in ms: a dashboard polls again instead of waiting. */
const POLL_TIMEOUT_MS = 5_000

type Parsed = Interfaces.InferredFlags<typeof watchFlags & typeof globalFlags>

export abstract class WatchCommand extends BaseCommand {
  /** Show the node until the end of the run. Throws `unreachable` if it does not respond to the first request. */
  protected async watch(flags: Parsed): Promise<void> {
    const { stdout, stdin } = process
    const { json = false, once, lines } = flags
    const terminal = stdout.isTTY === true && stdin.isTTY === true
    const mode = modeOf({ once, lines, json, 'screen-reader': flags['screen-reader'] }, process.env, terminal)
    const settings = await this.settings({ ...flags, gateway: await watchedGateway(flags) })
    const { lookOnce, runLines, runScreen } = await import('./session.js')
    const work = { ...settings, timeoutMs: Math.min(settings.timeoutMs, POLL_TIMEOUT_MS) }
    const { gatewaysAround, NodeRing } = await import('./nodes.js')
    const ring = new NodeRing(
      mode === 'screen' ? await gatewaysAround(settings.gateway, flags.dir) : [],
      settings.gateway,
      (gateway) => clientOf({ ...work, gateway }, { retries: 0, endless: true }),
      (client, gateway) => identityOf(client, gateway, flags.dir),
    )
    const exit = await withGateway(
      work,
      async (client) => {
        const options = {
          client,
          node: await identityOf(client, settings.gateway, flags.dir),
          allEvents: flags['all-events'],
          ascii: flags.ascii || process.env['TERM'] === 'linux',
          fps: flags.fps,
          theme: flags.theme,
          colours: stdout.isTTY === true && flags.theme !== 'plain' && (process.env['NO_COLOR'] ?? '') === '',
        }
        if (mode === 'screen') return runScreen({ ...options, next: () => ring.next() }, { stdout, stdin })
        if (mode === 'once') {
          const { json: data, text } = await lookOnce(options, sizeOf(stdout))
          this.out.result(data, text)
          return 0
        }
        leaveWithReader()
        const style = json ? 'json' : mode
        return runLines(options, { style, write: (text) => stdout.write(`${oneLine(text)}\n`), limit: flags.limit })
      },
      { retries: 0, endless: true },
    )
    await ring.close()
    this.exitWith(exit)
    // The user waits for the prompt, and the terminal has received everything written.
    if (mode === 'screen') process.exit(exit)
  }
}
