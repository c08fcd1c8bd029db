/**
 * The part of pdfkit that papers are written with. Its published types bring those of Node along: see `paths` in
 * `src/tsconfig.json`.
 */
export interface TextOptions {
  width?: number
  height?: number
  align?: 'left' | 'right' | 'center'
  lineBreak?: boolean
  ellipsis?: boolean | string
  lineGap?: number
  continued?: boolean
}
export interface PageOptions {
  size: [number, number]
  margins: { top: number; right: number; bottom: number; left: number }
}
export interface DocumentOptions extends PageOptions {
  font: ''
  bufferPages: boolean
  lang: string
  displayTitle: boolean
  info: { Title: string; Author: string; CreationDate: Date; Producer: string; Creator: string }
}
/** A picture that was opened: it is in the file once, wherever it is drawn. */
export interface PDFImage {
  width: number
  height: number
}
export default class PDFDocument {
  constructor(options: DocumentOptions)
  y: number
  readonly page: { width: number; height: number }
  on(event: 'data', listener: (chunk: Uint8Array) => void): this
  on(event: 'end', listener: () => void): this
  registerFont(name: string, source: Uint8Array): this
  font(name: string): this
  fontSize(size: number): this
  fillColor(color: string): this
  strokeColor(color: string): this
  lineWidth(width: number): this
  dash(length: number, options: { space: number }): this
  undash(): this
  text(text: string, x: number, y: number, options?: TextOptions): this
  widthOfString(text: string, options?: TextOptions): number
  heightOfString(text: string, options?: TextOptions): number
  currentLineHeight(includeGap?: boolean): number
  /** @throws Error for bytes that are no picture */
  openImage(source: Uint8Array): PDFImage
  image(source: PDFImage, x: number, y: number, options: { fit: [number, number] }): this
  moveTo(x: number, y: number): this
  lineTo(x: number, y: number): this
  rect(x: number, y: number, width: number, height: number): this
  circle(x: number, y: number, radius: number): this
  stroke(): this
  fill(color?: string): this
  addPage(options: PageOptions): this
  bufferedPageRange(): { start: number; count: number }
  switchToPage(n: number): void
  end(): void
}
