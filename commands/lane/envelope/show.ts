import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { answerView, routePath, withGateway } from '../../../src/cli/gateway/gateway.js'
import { heightOf, laneOf } from '../../../src/cli/lane/lane.js'
import { OWNER_ONLY, writeNew } from '../../../src/files/write-file.js'

export default class LaneEnvelopeShow extends BaseCommand {
  static override description = `Fetch the relay envelope of the settlements of a lane in one block.
It proves the settlement to anyone who trusts the validators: \`lane envelope verify\` needs no node.`
  static override examples = [
    '<%= config.bin %> lane envelope show 120 3 --out settlement.envelope',
    '<%= config.bin %> lane envelope show 120 3 --json',
  ]
  static override args = {
    height: Args.string({ description: 'height of the block', required: true, ignoreStdin: true }),
    lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }),
  }
  static override flags = {
    out: Flags.string({ description: 'write it to a new file, as a frame', helpValue: 'FILE' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneEnvelopeShow)
    const params = { height: heightOf(args.height), lane: laneOf(args.lane) }
    const path = await routePath(({ lanes }) => lanes.envelope, { params })
    const { out } = flags
    const view = await withGateway(await this.settings(flags), async (client) => {
      if (out !== undefined) {
        const answer = await client.api('GET', path, { accept: 'application/x-codec' })
        await writeNew(out, answer.body, OWNER_ONLY)
      }
      return answerView(await client.json('GET', path))
    })
    this.out.result(view, out === undefined ? JSON.stringify(view, null, 2) : `written to ${out}`)
  }
}
