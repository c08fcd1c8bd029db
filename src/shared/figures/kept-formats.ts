const KEPT_MAX = 500

/** Formats by what they were made of. Making one takes as long as writing hundreds of figures with it. */
function keptFormats<Options, Format>(make: (locale: string, options: Options) => Format) {
  const kept = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`
    const found = kept.get(key)
    if (found) return found
    // Far more than one workspace needs: what many of them asked for does not pile up.
    if (kept.size >= KEPT_MAX) kept.clear()
    const made = make(locale, options)
    kept.set(key, made)
    return made
  }
}

export const numberFormat = keptFormats(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
export const dateFormat = keptFormats(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
