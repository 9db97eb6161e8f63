import { Args, Flags } from '@oclif/core'
import { sleep } from '../../src/base/sleep.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { SignedCommand } from '../../src/cli/command/signed-command.js'
import { viewText } from '../../src/cli/command/view-text.js'
import { askGateway } from '../../src/cli/gateway/gateway.js'
import type { SettingFlags } from '../../src/cli/settings/settings.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { LedgerError } from '../../src/model/errors.js'

/** How often the node is asked for its progress, in ms. */
const POLL_MS = 250

/** Flags that name the data of a stopped node. */
interface OfflineFlags {
  readonly config?: string | undefined
  readonly 'peer-dir'?: string | undefined
  readonly 'data-dir'?: string | undefined
}

export default class SnapshotCreate extends SignedCommand {
  static override description = `Create a snapshot of a running node, or write the state of a stopped node to a file.
Without FILE the node at --gateway creates one at its height while payments continue; it keeps the newest snapshots.keep of
them and offers them to peers. The key must be one of gateway.operator_keys.
With FILE the state of a stopped node, or of a backup given by --data-dir, goes into that file, with the headers and
certificates that prove it. Every row is checked against the state tree.`
  static override examples = [
    '<%= config.bin %> snapshot create --key-file operator.json --timeout 10m',
    '<%= config.bin %> snapshot create state.snapshot --config node.toml',
    '<%= config.bin %> snapshot create state.snapshot --peer-dir .causeway/localnet/val-3 --json',
  ]
  static override args = { file: Args.string({ description: 'new file, for a stopped node', ignoreStdin: true }) }
  static override flags = {
    ...nodeConfigFlags,
    'data-dir': Flags.string({ description: 'data directory, if not the one of the configuration' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotCreate)
    if (args.file !== undefined) return this.write(args.file, flags)
    if (flags.config !== undefined || flags['peer-dir'] !== undefined || flags['data-dir'] !== undefined)
      throw usageError(
        'a snapshot of a stopped node requires a file',
        'causeway snapshot create FILE --config node.toml',
      )
    await this.request(flags)
  }

  /** Asks the running node for a snapshot and waits for it. */
  private async request(flags: SettingFlags): Promise<void> {
    const settings = await this.settings(flags)
    let status = await this.askSigned(flags, (routes) => routes.snapshots.make)
    while (status.making !== null) {
      if (settings.deadline.leftMs() <= 0) {
        throw new LedgerError('pending', `the snapshot of height ${String(status.making)} is in progress`, {
          hint: 'Check with `causeway snapshot list`.',
        })
      }
      await sleep(POLL_MS)
      status = await askGateway(settings, (routes) => routes.snapshots.list)
    }
    if (typeof status.failure === 'string') throw new LedgerError('snapshot_invalid', status.failure)
    this.out.result(status, viewText(status))
  }

  /** Writes the state of a stopped node to a file. */
  private async write(file: string, flags: OfflineFlags): Promise<void> {
    const { stat } = await import('node:fs/promises')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { withDataDir } = await import('../../src/node/offline/offline.js')
    const { createSnapshot } = await import('../../src/node/offline/create-snapshot.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const made = await this.withBar('writing', 'rows', (report) =>
      withDataDir(config, flags['data-dir'], (place) =>
        createSnapshot(place, file, (count) => report({ done: count })),
      ),
    )
    const { size } = await stat(file)
    const view = {
      file,
      chain: made.chain,
      height: made.height,
      block_hash: Buffer.from(made.blockHash).toString('hex'),
      state_root: Buffer.from(made.stateRoot).toString('hex'),
      rows: made.rows,
      bytes: size,
    }
    const text = pairs([
      ['snapshot', `${file} (${size} bytes, ${made.rows} rows)`],
      ['chain', made.chain],
      ['height', String(made.height)],
      ['block', view.block_hash],
      ['state root', view.state_root],
    ])
    this.out.result(view, text)
    this.out.hint('Check it anywhere: causeway snapshot verify FILE --config node.toml')
  }
}
