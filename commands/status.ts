import { Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.js'
import { getJson, textOf, type View, withGateway } from '../src/cli/gateway.js'
import { pairs } from '../src/cli/output.js'
import { EXIT } from '../src/model/errors.js'

export default class Status extends BaseCommand {
  static override description =
    `Show how a node fares: chain, height, block, state root, peers, queue, and why it does not move.
With --check it exits 10 when the node is not synced, not in a quorum, stalled or halted.`
  static override examples = [
    '<%= config.bin %> status',
    '<%= config.bin %> status --check --gateway http://127.0.0.1:8081',
  ]
  static override flags = { check: Flags.boolean({ description: 'exit 10 when the node is not healthy' }) }

  async run(): Promise<void> {
    const { flags } = await this.parse(Status)
    const settings = await this.settings(flags)
    const [status, consensus] = (await withGateway(settings, (client) =>
      Promise.all([getJson(client, '/status'), getJson(client, '/v1/consensus/status')]),
    )) as [View, View]
    const stall = consensus.stall as View | null | undefined
    const faults = [
      status.synced === true ? undefined : 'not synced',
      status.in_quorum === true ? undefined : 'not in a quorum',
      textOf(consensus.halted) === undefined ? undefined : `halted: ${textOf(consensus.halted)}`,
      stall === undefined || stall === null ? undefined : `stalled: ${textOf(stall.text)}`,
    ].filter((one) => one !== undefined)
    const healthy = faults.length === 0
    const text = pairs([
      ['gateway', settings.gateway],
      ['chain', textOf(status.chain)],
      ['version', textOf(status.version)],
      ['health', healthy ? 'healthy' : faults.join('; ')],
      ['height', textOf(consensus.height)],
      ['block', textOf(consensus.block_hash)],
      ['state root', textOf(consensus.state_root)],
      [
        'view',
        `${textOf(consensus.view)} of height ${textOf(consensus.deciding_height)}, ${textOf(consensus.view_changes)} view changes`,
      ],
      ['peers', `${textOf(status.peers)} connected, quorum ${textOf(consensus.quorum)}`],
      [
        'transactions',
        `${textOf(status.txs_approved)} approved, ${textOf(status.txs_rejected)} rejected, ${textOf(status.queue_size)} queued`,
      ],
    ])
    this.out.result({ gateway: settings.gateway, healthy, faults, status, consensus }, text)
    if (flags.check && !healthy) this.exitWith(EXIT.checkFailed)
  }
}
