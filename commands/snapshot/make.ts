import { sleep } from '../../src/base/sleep.js'
import { SignedCommand } from '../../src/cli/command/signed-command.js'
import { viewText } from '../../src/cli/command/view-text.js'
import { askGateway } from '../../src/cli/gateway/gateway.js'
import { LedgerError } from '../../src/model/errors.js'

/** How often the node is asked whether it is made, in ms. */
const POLL_MS = 250

export default class SnapshotMake extends SignedCommand {
  static override description = `Make a snapshot of a running node at its height, and wait for it. Payments continue.
The key must be one of gateway.operator_keys. The node keeps the newest snapshots.keep of them, and offers them to peers.`
  static override examples = [
    '<%= config.bin %> snapshot make --key-file operator.json',
    '<%= config.bin %> snapshot make --key-file operator.json --timeout 10m --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(SnapshotMake)
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
}
