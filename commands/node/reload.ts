import { sleep } from '../../src/base/sleep.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { LedgerError } from '../../src/model/errors.js'

/** How often the answer of the node is looked for, in ms. */
const POLL_MS = 50

export default class NodeReload extends BaseCommand {
  static override description =
    `Reload the configuration of a running node, like SIGHUP: log level, limits, credentials, operators, CORS, hold rules,
reference data and a renewed certificate take effect at once; other changes are listed and need a restart. An invalid file changes nothing.`
  static override examples = [
    '<%= config.bin %> node reload --config node.toml',
    '<%= config.bin %> node reload --peer-dir .causeway/localnet/val-0 --json',
  ]
  static override flags = nodeConfigFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeReload)
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { readOutcome } = await import('../../src/node/reload/file.js')
    const { reloadTarget } = await import('../../src/node/reload/target.js')
    const { dataDirHolder } = await import('../../src/storage/index.js')
    const { deadline } = await this.settings(flags)
    const { dataDir } = await loadNodeConfig(nodeConfigPath(flags))
    const pid = await reloadTarget(dataDir)
    const before = await readOutcome(dataDir)
    process.kill(pid, 'SIGHUP')
    for (;;) {
      const now = await readOutcome(dataDir)
      if (now !== undefined && now.at_ms !== before?.at_ms) return this.printOutcome(now)
      if ((await dataDirHolder(dataDir))?.pid !== pid) {
        throw new LedgerError('unreachable', `the node on ${dataDir} (process ${pid}) ended before it responded`, {
          hint: 'Its log has the reason. A node reads its configuration when it starts.',
        })
      }
      if (deadline.leftMs() <= 0) {
        throw new LedgerError('pending', `the node (process ${pid}) has not responded yet`, {
          hint: 'A starting node handles no signal; its log shows when it runs.',
        })
      }
      await sleep(POLL_MS)
    }
  }

  private printOutcome(
    outcome: Awaited<ReturnType<typeof import('../../src/node/reload/file.js')['readOutcome']>>,
  ): void {
    if (outcome === undefined) return
    if ('error' in outcome) {
      const { code, message, hint } = outcome.error
      throw new LedgerError(code as 'config_invalid', message, { hint })
    }
    const { changed, restart } = outcome
    const lines = [
      changed.length === 0 ? 'no reloadable setting has changed' : `in effect now: ${changed.join(', ')}`,
      ...(restart.length === 0 ? [] : [`in effect after a restart: ${restart.join(', ')}`]),
    ]
    this.out.result({ changed, restart }, lines.join('\n'))
  }
}
