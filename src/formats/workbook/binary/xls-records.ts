/** Records of BIFF5 and BIFF8 that are read (MS-XLS 2.3). */
export const XLS = {
  BOF: 0x809,
  EOF: 0x0a,
  CONTINUE: 0x3c,
  CODE_PAGE: 0x42,
  DATE_1904: 0x22,
  FILE_PASS: 0x2f,
  SHEET: 0x85,
  FORMAT: 0x41e,
  XF: 0xe0,
  SST: 0xfc,
  NUMBER: 0x203,
  RK: 0x27e,
  MUL_RK: 0xbd,
  LABEL: 0x204,
  RICH_LABEL: 0xd6,
  LABEL_SST: 0xfd,
  BOOL_ERR: 0x205,
  FORMULA: 0x06,
  STRING: 0x207,
  MERGED_CELLS: 0xe5,
} as const

export const BIFF8 = 0x600
export const BIFF5 = 0x500
