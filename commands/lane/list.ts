import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { lanesText, lifecycleOf, policyText } from '../../src/cli/lane/lane.js'

export default class LaneList extends BaseCommand {
  static override description = `List the lanes in effect at the next height, and pending changes.
With --policy also the routing rules in their order.`
  static override examples = [
    '<%= config.bin %> lane list',
    '<%= config.bin %> lane list --policy',
    '<%= config.bin %> lane list --json',
  ]
  static override flags = { policy: Flags.boolean({ description: 'include the routing rules' }) }

  async run(): Promise<void> {
    const { flags } = await this.parse(LaneList)
    const found = await lifecycleOf(await this.settings(flags))
    const parts = [lanesText(found), ...(flags.policy ? ['', policyText(found)] : [])]
    const { pending } = found
    if (typeof pending === 'object' && pending !== null && !Array.isArray(pending)) {
      const later = pending as Parameters<typeof lanesText>[0]
      parts.push(
        '',
        `from height ${String(later.height)}:`,
        lanesText(later),
        ...(flags.policy ? [policyText(later)] : []),
      )
    }
    this.out.result(found, parts.join('\n'))
    if (found.enabled !== true) this.out.hint('lanes are off: every transaction is in lane 0 (parameter lanes.enabled)')
  }
}
