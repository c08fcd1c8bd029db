import { smallTables, told } from './small-tables.fixture'

const warehouse = smallTables({
  'stock list': {
    rows: 80,
    headings: [
      ['article', 'name'],
      ['on hand', 'number'],
      ['purchase price', 'number'],
      ['sales price', 'number'],
    ],
  },
})
told('what is in stock at the price that is named', warehouse, [
  ['what is the stock value at purchase price?', 'Stock value'],
  ['vad är lagervärdet till inköpspris?', 'Stock value'],
  ['inventory value at selling price', 'Stock value at sales price'],
  ['lagervärde till utpris', 'Stock value at sales price'],
  ['lagervärde till försäljningspris', 'Stock value at sales price'],
])

const kennel = smallTables(
  {
    dogs: {
      rows: 90,
      headings: [
        ['dog id', 'key'],
        ['name', 'name'],
        ['breed', 'kind', 'Collie', 'Poodle', 'Beagle'],
      ],
    },
    orders: {
      rows: 700,
      headings: [
        ['order id', 'key'],
        ['dog id', 'link'],
        ['order date', 'date'],
        ['amount', 'number'],
      ],
    },
  },
  ['orders.dog id > dogs.dog id'],
)
told('what became better, of which the rows say nothing', kennel, [
  ['which dog has improved the most?', 'refuse'],
  ['vilken hund har förbättrats mest?', 'refuse'],
])
told('hours of days that have no clock', kennel, [
  ['orders per hour of the day', 'refuse'],
  ['which hour has the most orders', 'refuse'],
])
told('what sells worst', kennel, [
  ['worst selling breed', 'Sales, by breed of Dogs, sales, lowest first, top 1'],
  ['sämst säljande breed', 'Sales, by breed of Dogs, sales, lowest first, top 1'],
])
