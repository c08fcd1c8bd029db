import { describe, expect, it } from 'vitest'
import { filesFromPaste } from './paste'

const pasted = (text: string, files: File[] = []) => {
  const transfer = new DataTransfer()
  if (text !== '') transfer.setData('text/plain', text)
  files.forEach((file) => transfer.items.add(file))
  return transfer
}

describe('what is pasted', () => {
  it('is a file of its own when it is cells of a spreadsheet', async () => {
    const [file, ...more] = filesFromPaste(pasted('Kund\tBelopp\r\nEk\t1 234,50\r\n'), 7)
    expect(more).toEqual([])
    expect(file).toMatchObject({ name: 'Pasted table.txt', lastModified: 7 })
    expect(await file?.text()).toBe('Kund\tBelopp\r\nEk\t1 234,50\r\n')
  })

  it('is the text of the cells, not the picture that comes along', () => {
    const picture = new File(['png'], 'image.png')
    expect(filesFromPaste(pasted('a\tb', [picture]), 1).map(({ name }) => name)).toEqual(['Pasted table.txt'])
  })

  it('is the file itself when a file was copied', () => {
    const file = new File(['a;b'], 'orders.csv')
    expect(filesFromPaste(pasted('', [file]), 1)).toEqual([file])
  })

  it('is nothing of ours when it is a word', () => {
    expect(filesFromPaste(pasted('hello\n'), 1)).toEqual([])
  })
})
