/** Owns the flags and arguments for the text of an account or of an asset definition. */
import { Args, Flags } from '@oclif/core'
import { LedgerError } from '../../model/errors.js'

/** Check the form of a text before a request to the gateway; it is resolved later. */
async function userText(text: string): Promise<string> {
  if (!/[@:]/.test(text)) return text
  const { canonicalTexts } = await import('../../api/user-text.js')
  const texts = await canonicalTexts(text)
  if (!('code' in texts)) return text
  // Declares `bad_name`.
  await import('../../features/domains/schema.js')
  throw new LedgerError(texts.code, texts.message)
}

/** Flag of an account: its address, its name, or `iban:` with an IBAN. */
export const accountFlag = Flags.custom<string>({ parse: async (text) => userText(text) })
/** Flag of an asset definition: `name#domain`, a name with an asset record, or `ccy:` with a currency. */
export const assetFlag = Flags.custom<string>({ parse: async (text) => userText(text) })
/** Flag of an asset definition with a value, `ASSET=VALUE`. */
export const assetValueFlag = Flags.custom<string>({
  parse: async (text) => {
    const at = text.lastIndexOf('=')
    await userText(at < 0 ? text : text.slice(0, at))
    return text
  },
})
/** Argument of an account. */
export const accountArg = Args.custom<string>({ parse: async (text) => userText(text) })
/** Argument of an asset definition. */
export const assetArg = Args.custom<string>({ parse: async (text) => userText(text) })
