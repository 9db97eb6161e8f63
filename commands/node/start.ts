import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { endBy, onStopSignal } from '../../src/cli/terminal/daemon-signals.js'
import { withBar } from '../../src/cli/terminal/progress-bar.js'
import { surviveStandardOutput } from '../../src/cli/terminal/standard-output.js'
import { LedgerError } from '../../src/model/errors.js'
import type { NodeConfig } from '../../src/node/config/index.js'
import type { NodeOptions, RunningNode } from '../../src/node/node.js'

/** A stop that takes longer than this is forced, in ms. */
const STOP_TIMEOUT_MS = 15_000

/** Starts the node of a configuration: by its own key, or at the signer that has it. */
async function starterOf(config: NodeConfig): Promise<(options: NodeOptions) => Promise<RunningNode>> {
  const { signer } = config
  if (signer === undefined) {
    const { startNode } = await import('../../src/node/node.js')
    return (options) => startNode(config, options)
  }
  const { startAttached } = await import('../../src/node/attached.js')
  return (options) => startAttached(config, signer, options)
}

export default class NodeStart extends BaseCommand {
  static override description =
    'Start a peer daemon: consensus, ledger and gateway of one node, in the foreground. SIGTERM or SIGINT drains and closes; a second signal forces. SIGHUP reloads the configuration (`causeway node reload`). A node never creates its own identity: see `causeway key generate`.'

  static override examples = [
    '<%= config.bin %> node start --config node.toml',
    'CAUSEWAY_NODE__LOG__LEVEL=debug <%= config.bin %> node start --config /etc/causeway/node.toml',
  ]

  static override flags = {
    config: Flags.string({ char: 'c', description: 'configuration file (TOML)', required: true, helpValue: 'FILE' }),
    'first-start': Flags.boolean({
      description:
        'vote at once although there is no vote log yet: the keys of this node never voted on this chain. Valid once per key; without it a node at genesis votes when a quorum is connected',
    }),
    'accept-amnesia': Flags.boolean({
      description:
        'vote although the vote log is lost or was restored: only if the network cannot continue without this node, and never while another copy of it runs',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeStart)
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { createLogger } = await import('../../src/node/process/logger.js')
    const { reloadOnSignal } = await import('../../src/node/reload/signal.js')
    const { makeFilesPrivate } = await import('../../src/storage/index.js')
    const { storageFailed } = await import('../../src/files/disk-fault.js')
    const { endingOf } = await import('../../src/node/process/fatal.js')
    makeFilesPrivate()
    const config = await loadNodeConfig(flags.config)
    surviveStandardOutput()
    const log = createLogger(config.log)
    const { logger } = log
    const start = await starterOf(config)

    let stop: (reason: Error | undefined) => void = () => undefined
    const stopped = new Promise<Error | undefined>((resolve) => {
      stop = resolve
    })
    const starting = new AbortController()
    onStopSignal((signal) => {
      logger.info({ signal }, 'stopping')
      stop(undefined)
      starting.abort()
    })
    let running: RunningNode | undefined
    reloadOnSignal(flags.config, { node: () => running, logger, reopenLog: log.reopen, dataDir: config.dataDir })
    // A log on the terminal says the same in lines.
    const silent = this.silent || config.log.file === undefined
    const node = await withBar({ label: 'replaying', unit: 'blocks', silent }, (report) =>
      start({
        version: this.config.version,
        logger,
        lostLogLines: log.lost,
        acceptAmnesia: flags['accept-amnesia'],
        firstStart: flags['first-start'],
        onReplay: (done, total) => report({ done, total }),
        signal: starting.signal,
        onFatal: (error) => {
          logger.fatal({ error: error.message, stack: error.stack }, 'the node cannot continue')
          stop(error)
        },
      }),
    ).catch((error: unknown) => {
      // Asked to stop while it replayed blocks: nothing runs, and nothing is wrong.
      if (starting.signal.aborted && error instanceof LedgerError && error.code === 'node_stopping') return undefined
      throw error instanceof LedgerError ? error : (storageFailed(error) ?? error)
    })
    running = node
    const failure = await stopped
    const force = setTimeout(() => endBy('SIGKILL'), STOP_TIMEOUT_MS)
    await node?.close()
    clearTimeout(force)
    logger.info('stopped')
    // A reader of a pipe that reads nothing holds up the thread that writes, and with it any other end.
    if (!(await log.end())) endBy(failure === undefined ? 'SIGTERM' : 'SIGKILL')
    if (failure !== undefined) throw endingOf(failure)
  }
}
