import { describe, expect, it } from 'vitest'
import { CP437, CP850 } from './text-decoder'
import { ENCODINGS } from '../../shared/data-sources/files'
import { inspectCsv } from '../inference/inspect-csv'
import { createCsvReader } from '../csv/csv-reader'

const page = (text: string, table: string): Uint8Array =>
  Uint8Array.from(text, (char) => (char < '\u0080' ? char.charCodeAt(0) : 0x80 + table.indexOf(char)))
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
const NAMES = 'Namn;Ort;Belopp\nÅkeri Väst;Växjö;100,50\nØrsted Öst;Malmö;20,00\nCafé Ångström;Århus;7,25\n'
const SWEDISH = NAMES.replace('Ørsted', 'Orsted')

function read(bytes: Uint8Array): { encoding: string; text: string } {
  const { settings } = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes })
  const lines: string[] = []
  const onRecord = (cells: string[]): void => void lines.push(cells.join(';'))
  const reader = createCsvReader({ settings: { ...settings, header: false }, startByte: 0, startLine: 1, onRecord })
  for (const byte of bytes) reader.push(Uint8Array.of(byte))
  reader.end()
  return { encoding: settings.encoding, text: `${lines.join('\n')}\n` }
}

describe('texts of one byte a letter', () => {
  it('are read as MS-DOS wrote them when its letters stand in words', () => {
    expect(read(page(NAMES, CP850))).toEqual({ encoding: 'cp850', text: NAMES })
    expect(read(page(SWEDISH, CP437))).toEqual({ encoding: 'cp850', text: SWEDISH })
  })

  it('are read as Windows wrote them when its letters do', () => {
    expect(read(latin1(NAMES))).toEqual({ encoding: 'windows-1252', text: NAMES })
  })

  it('are not taken for MS-DOS because of quotation marks', () => {
    const quoted = latin1('Name;Text\na;\u0093quoted\u0094 words\nb;don\u0092t and l\u0092eau\nc;\u0093one\u0094\n')
    expect(read(quoted).encoding).toBe('windows-1252')
  })

  it('are code page 437 when what it alone has stands between words', () => {
    expect(read(page('Namn;Krav\nVäst;≥ 5\nÖst;≤ 7\nMalmö;Σ 12\n', CP437)).encoding).toBe('cp437')
  })

  it('can be read as any of them when the person says so', () => {
    const bytes = page(NAMES, CP850)
    const found = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes }, { encoding: 'cp437' })
    expect(found.settings.encoding).toBe('cp437')
    expect(found.preview[1]?.[0]).toBe('¥rsted Öst')
  })
})

const SWEDISH_ORDERS = 'Kund;Ort;Belopp\nÅkeri Väst;Växjö;100,50\nÖrebro Bröd;Malmö;20,00\nNäs Måleri;Västerås;7,25\n'
const POLISH = 'Klient;Miasto;Kwota\nŻółta Łódź;Kraków;100,50\nSpółka Gęś;Gdańsk;20,00\nMąka i Śliwka;Wrocław;7,25\n'
const CZECH = 'Zákazník;Město;Částka\nŽluťoučký kůň;Plzeň;100,50\nPříliš dobré;Děčín;20,00\nŘezník;Třebíč;7,25\n'
const RUSSIAN = 'Клиент;Город;Сумма\nООО Ромашка;Москва;100,50\nЗАО Весна;Казань;20,00\nСчёт 7;Тверь;7,25\n'
const FRENCH =
  'Client;Ville;Montant\nCafé Élysée;Besançon;100,50\nHôtel Générale;Orléans;20,00\nÀ la forêt;Nîmes;7,25\n'
const GERMAN = 'Kunde;Ort;Betrag\nMüller Söhne;München;100,50\nBäckerei Groß;Köln;20,00\nÜber Öl;Düsseldorf;7,25\n'

/** Bytes of a text in a runtime's encoding of one byte a letter. */
function encodedIn(text: string, label: string): Uint8Array {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(label).decode(Uint8Array.of(byte)), byte] as const),
  )
  return Uint8Array.from(text, (char) => table.get(char) ?? (char.charCodeAt(0) < 128 ? char.charCodeAt(0) : 63))
}
// 会社,都市,金額 / 東京商事,東京,100 / アオイ工業,大阪,20 / さくら食品,名古屋,7
const JAPANESE = Uint8Array.from(
  [
    ...'89ef8ed02c93738e732c8be08a7a0a938c8b9e8fa48e962c938c8b9e2c3130300a8341834983438d488bc62c91e58de32c32300a'.matchAll(
      /../g,
    ),
    ...'82b382ad82e7904895692c96bc8cc389ae2c370a'.matchAll(/../g),
  ].map(([hex]) => Number.parseInt(hex, 16)),
)

// 客戶,城市,金額 / 台北貿易公司,台北,100 / 高雄食品行,高雄,20 / 許功蓋書店,台中,7: the second bytes of 許功蓋 are \\, of others |.
const CHINESE_HEX =
  'abc8a4e12cabb0a5ab2caaf7c3420aa578a55fb654a9f6a4bda5712ca578a55f2c3130300ab0aab6afadb9ab7ea6e62cb0aab6af2c32300ab35ca55cbb5caed1a9b12ca578a4a42c370a'
const CHINESE = Uint8Array.from(CHINESE_HEX.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16))
const EUROS = 'Asiakas;Kaupunki;Summa\nMäkelä Oy;Jyväskylä;100,50 €\nŠkoda Öst;Žilina;20,00 €\nNäs;Hämeenlinna;7,25 €\n'

describe('older encodings', () => {
  const found = (bytes: Uint8Array) => inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes })

  it.each<[string, string, string, string]>([
    ['Swedish', 'windows-1252', SWEDISH_ORDERS, 'windows-1252'],
    ['Swedish', 'macintosh', SWEDISH_ORDERS, 'macintosh'],
    ['French', 'windows-1252', FRENCH, 'windows-1252'],
    ['French', 'macintosh', FRENCH, 'macintosh'],
    ['German', 'windows-1252', GERMAN, 'windows-1252'],
    ['German', 'macintosh', GERMAN, 'macintosh'],
    ['Polish', 'windows-1250', POLISH, 'windows-1250'],
    ['Czech', 'windows-1250', CZECH, 'windows-1250'],
    ['Russian', 'windows-1251', RUSSIAN, 'windows-1251'],
  ])('are told apart by their letters: %s in %s', (_language, label, text, wanted) => {
    const bytes = encodedIn(text, label)
    expect(read(bytes)).toEqual({ encoding: wanted, text })
    expect(found(bytes).warnings.filter(({ code }) => code === 'encoding_unsure')).toEqual([])
  })

  it('of Japan are read sign by sign, wherever a piece ends', () => {
    const got = read(JAPANESE)
    expect(got.encoding).toBe('shift_jis')
    expect(got.text.replaceAll(';', ',')).toBe(
      '会社,都市,金額\n東京商事,東京,100\nアオイ工業,大阪,20\nさくら食品,名古屋,7\n',
    )
  })

  it('of Taiwan are read sign by sign, though half a sign may be a separator', () => {
    const got = read(CHINESE)
    expect(got.encoding).toBe('big5')
    expect(got.text.replaceAll(';', ',')).toBe(
      '客戶,城市,金額\n台北貿易公司,台北,100\n高雄食品行,高雄,20\n許功蓋書店,台中,7\n',
    )
  })

  it('of Western Europe have their € and Š where ISO 8859-15 has them, and fractions and quotes where Windows has', () => {
    const bytes = encodedIn(EUROS, 'iso-8859-15')
    expect(read(bytes)).toEqual({ encoding: 'iso-8859-15', text: EUROS })
    const names = EUROS.replaceAll(' €', '').replace('Näs', 'Tomáš')
    expect(read(encodedIn(names, 'iso-8859-15'))).toEqual({ encoding: 'iso-8859-15', text: names })
    for (const text of [
      EUROS,
      SWEDISH_ORDERS,
      'Vara;Pris\nGrädde ½l;10\nMjölk 1½l;8\nÖl ½l;9\n',
      'Namn;Mått\nBräda å;½ m\nBräda ö;1¼ m\nl´été;¾ m\n',
      'Namn;Text\nÅsa;“å” – ä\nBö;100 €\n',
    ])
      expect(read(encodedIn(text, 'windows-1252'))).toEqual({ encoding: 'windows-1252', text })
  })

  it('are clear where few words are read otherwise, and those plainly: é is at home in many languages', () => {
    const lines = ['Café Linné;Malmö;14,00', 'Rågkaka;Lund;20,00', 'Båstad;Lund;7,00', 'Café Linné;Öland;9,00']
    const text = `Kund;Ort;Pris\n${lines.join('\n')}\n${'Café Linné;Malmö;1,00\n'.repeat(8)}`
    const bytes = encodedIn(text, 'windows-1252')
    expect(read(bytes)).toEqual({ encoding: 'windows-1252', text })
    expect(found(bytes).warnings.map(({ code }) => code)).not.toContain('encoding_unsure')
  })

  it('are told as unclear where the letters make no words', () => {
    const noise = Uint8Array.from('a;b\n1;x\u0099\u00fc\u00b3\u00d7y\n2;\u00de\u00a4q\u00f7\u00a6\n', (char) =>
      char.charCodeAt(0),
    )
    expect(found(noise).warnings.map(({ code }) => code)).toContain('encoding_unsure')
    const given = inspectCsv({ fileName: 'a.csv', size: noise.length, head: noise }, { encoding: 'windows-1251' })
    expect(given.warnings.map(({ code }) => code)).not.toContain('encoding_unsure')
  })

  it('are all open to choice', () => {
    const bytes = encodedIn(`${SWEDISH_ORDERS}${'Lund;Lund;1,00\n'.repeat(40)}`, 'windows-1252')
    for (const encoding of ENCODINGS.filter((one) => !one.startsWith('utf-16')))
      expect(inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes }, { encoding }).settings.encoding).toBe(
        encoding,
      )
  })
})
