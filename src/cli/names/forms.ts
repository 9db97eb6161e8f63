/** Owns shared parts of the commands on names: arguments, and names in canonical form. */
import { Args } from '@oclif/core'
import '../../features/domains/schema.js'
import { LedgerError, type NameId, nameText, parseAlias, parseName } from '../../model/index.js'
import { usageError } from '../terminal/failure.js'

/** First canonical form of the text of a name; other texts as they are. */
async function canonicalText(text: string): Promise<string> {
  if (!text.includes('@')) return text
  const { canonicalTexts } = await import('../../api/user-text.js')
  const forms = await canonicalTexts(text)
  if ('code' in forms) throw new LedgerError(forms.code, forms.message)
  return forms[0]
}

const nameArgument = Args.custom<string>({ parse: canonicalText })

export const nameArg = {
  name: nameArgument({ description: 'name, as path@domain', required: true, ignoreStdin: true }),
}

/** The name of an argument in canonical form. Throws `bad_name`. */
export function nameOf(text: string): NameId {
  const name = parseName(text.toLowerCase()) ?? parseName(text)
  if (name !== undefined) return name
  throw new LedgerError('bad_name', `"${text}" is not a name path@domain`, {
    hint: 'A path has up to 4 labels of a-z, 0-9 and hyphens, joined by dots.',
  })
}

/** Canonical text of a name. Throws `bad_name`. */
export const canonicalName = (text: string): string => nameText(nameOf(text))

/** Text of a name for a gateway: a label of release 0.1.0 stays as it is. */
export const readableName = (text: string): string => (parseAlias(text) === undefined ? canonicalName(text) : text)

/** Changes of records from `key=value` texts, and keys that are removed. */
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
