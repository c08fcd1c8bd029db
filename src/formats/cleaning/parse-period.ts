import { parseMonthDay, parseMonthName } from '../../shared/values/parse-month'
import { epochDay, parseDate } from '../../shared/values/parse-date'
import { isoFromDay } from '../../shared/dates'
import type { DateWriting } from '../../shared/data-sources/cleaning'

/** A date as ISO text; null where the text is not written so. */
export function parseWrittenDate(text: string, writing: DateWriting, year: number | undefined): string | null {
  const day = dayOf(text, writing, year)
  return day === null ? null : isoFromDay(day)
}

function dayOf(text: string, writing: DateWriting, year: number | undefined): number | null {
  switch (writing) {
    case 'yearMonth':
      return parseMonthDay(text)
    case 'month': {
      const month = parseMonthName(text)
      return month === null || year === undefined ? null : epochDay(year, month, 1)
    }
    case 'ymd':
    case 'dmy':
    case 'mdy':
      return parseDate(text.trim(), writing)
  }
}
