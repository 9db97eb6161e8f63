/** Types of the used part of Unicode IDNA compatibility processing (UTS #46). */
declare module 'tr46' {
  interface Options {
    readonly checkHyphens: boolean
    readonly checkBidi: boolean
    readonly checkJoiners: boolean
    readonly useSTD3ASCIIRules: boolean
    readonly verifyDNSLength: boolean
    readonly transitionalProcessing: boolean
  }
  /** ASCII form of a host name; null if it is refused. */
  export function toASCII(text: string, options: Options): string | null
}
