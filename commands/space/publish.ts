import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions, type PublishManifest } from '../../src/features/spaces/schema/instructions.js'
import type { RecordJson } from '../../src/model/index.js'

export default class SpacePublish extends LedgerCommand {
  static override description =
    `Publish the permitted actions of a guest in a restricted dataspace, from the JSON of PublishManifest; it replaces the previous manifest.
The key must hold CanPublishManifests for the dataspace. Accounts are addresses or aliases. The file may omit the version: the
command reads the next one.`
  static override examples = ['<%= config.bin %> space publish guest.json --key-file admin.json']
  static override args = {
    file: Args.string({ description: 'file with JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpacePublish)
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    const { manifestOfFile } = await import('../../src/cli/space/forms.js')
    const file = await readJsonInput(args.file)
    await this.send(flags, async (drafting) => {
      const manifest = await manifestOfFile(file, drafting)
      return [drafting.read(instructions.publishManifest, manifest as RecordJson<PublishManifest>)]
    })
  }
}
