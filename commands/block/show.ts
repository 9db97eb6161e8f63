import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { usageError } from '../../src/cli/terminal/failure.js'

export default class BlockShow extends BaseCommand {
  static override description =
    `Show a block by its height or its hash: header, certificate, transactions with their outcomes.
With --binary print its canonical bytes.`
  static override examples = [
    '<%= config.bin %> block show 42',
    '<%= config.bin %> block show 5f0c... --json',
    '<%= config.bin %> block show 42 --binary > block-42.bin',
  ]
  static override args = {
    block: Args.string({ description: 'height or hash', required: true, ignoreStdin: true }),
  }
  static override flags = { binary: Flags.boolean({ description: 'print canonical bytes' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BlockShow)
    const isHeight = /^\d{1,15}$/.test(args.block)
    if (!isHeight && !/^[0-9a-f]{64}$/i.test(args.block))
      throw usageError(`"${args.block}" is not a block: expected a height, or a hash of 64 hex digits`)
    const settings = await this.settings(flags)
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const { blockAt, blockText, heightOfHash } = await import('../../src/cli/chain/block.js')
    const { streamedBlock } = await import('../../src/api/index.js')
    await withGateway(settings, async (client) => {
      const height = isHeight ? Number(args.block) : await heightOfHash(client, args.block.toLowerCase())
      const block = await blockAt(client, height)
      const codec = await client.codec()
      if (flags.binary) return this.out.raw(streamedBlock.encode(block, codec))
      const jsonForm = streamedBlock.toJson(block, codec)
      this.out.result(jsonForm, blockText(block, jsonForm))
    })
  }
}
