/** Owns shared parts of the commands on names: arguments, and names in canonical form. */
import { Args } from '@oclif/core'
import '../../features/domains/schema.js'
import { LedgerError, type NameId, nameText, parseAlias, parseName } from '../../model/index.js'
import { usageError } from '../terminal/failure.js'

export const nameArg = {
  name: Args.string({ description: 'name, as path@domain', required: true, ignoreStdin: true }),
}

/** First canonical form of the text of a name; the domain is not changed. Throws `bad_name`, `plaintext_identifier`. */
async function canonicalForm(text: string): Promise<string> {
  if (!text.includes('@')) return text
  const { canonicalTexts } = await import('../../api/user-text.js')
  const forms = await canonicalTexts(text)
  if ('code' in forms) throw new LedgerError(forms.code, forms.message)
  return forms[0]
}

/** Name of an argument in canonical form. Throws `bad_name`, `plaintext_identifier`. */
export async function nameOf(text: string): Promise<NameId> {
  const name = parseName(await canonicalForm(text))
  if (name !== undefined) return name
  throw new LedgerError('bad_name', `"${text}" is not a name path@domain`, {
    hint: 'A path has up to 4 labels of a-z, 0-9 and hyphens, joined by dots.',
  })
}

/** Canonical text of a name. Throws `bad_name`, `plaintext_identifier`. */
export const canonicalName = async (text: string): Promise<string> => nameText(await nameOf(text))

/** Text of a name for a gateway: a label of release 0.1.0 that no grammar accepts is returned unchanged. */
export async function readableName(text: string): Promise<string> {
  const form = await canonicalForm(text)
  return parseAlias(form) === undefined ? canonicalName(text) : form
}

/** Changes of records from `key=value` texts, and removed keys. */
export function recordChanges(set: readonly string[] = [], removed: readonly string[] = []) {
  const changes = set.map((text) => {
    const at = text.indexOf('=')
    if (at < 1)
      throw usageError(
        `--set: "${text}" is not a record`,
        'Write key=value, for example text:url=https://bank.example.',
      )
    return { key: text.slice(0, at), value: text.slice(at + 1) }
  })
  return [...changes, ...removed.map((key) => ({ key, value: null }))]
}
