import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class GenesisAdd extends BaseCommand {
  static override description = `Add instructions to a genesis manifest, before it is signed.
They run after the existing ones, as the account of the genesis key and without permission checks. Write them as for \`tx send\`;
\`causeway codec schema\` shows their records.`
  static override examples = [
    '<%= config.bin %> genesis add accounts.json --file genesis.json',
    `echo '{"RegisterDomain": {"id": "shop", "metadata": {}}}' | <%= config.bin %> genesis add -`,
  ]
  static override args = {
    instructions: Args.string({ description: 'file of instructions, or -', required: true, ignoreStdin: true }),
  }
  static override flags = { file: Flags.string({ description: 'manifest', default: 'genesis.json' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GenesisAdd)
    const { inputName } = await import('../../src/cli/input/input.js')
    const { instructionsJson, readJsonInput } = await import('../../src/cli/input/json.js')
    const { addInstructions } = await import('../../src/node/genesis/index.js')
    const jsonForms = instructionsJson(await readJsonInput(args.instructions), inputName(args.instructions))
    const count = await addInstructions(flags.file, jsonForms)
    this.out.result(
      { file: flags.file, added: jsonForms.length, instructions: count },
      `${flags.file}: added ${jsonForms.length}, ${count} instructions`,
    )
  }
}
