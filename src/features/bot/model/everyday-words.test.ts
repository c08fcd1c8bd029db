import { smallTables, told } from './small-tables.fixture'

const times = smallTables(
  {
    consultants: {
      rows: 12,
      headings: [
        ['Consultant no', 'key'],
        ['Name', 'name', 'Ada Moss', 'Bo Fern'],
        ['Hired', 'date'],
        ['End date', 'date'],
      ],
    },
    assignments: {
      rows: 20,
      headings: [
        ['Assignment no', 'key'],
        ['Title', 'name', 'Museum', 'Harbour'],
        ['Budget hours', 'number'],
        ['Deadline', 'date'],
        ['Status', 'kind', 'Open', 'Closed'],
      ],
    },
    timesheets: {
      rows: 400,
      headings: [
        ['Row no', 'key'],
        ['Consultant no', 'link'],
        ['Assignment no', 'link'],
        ['Day', 'date'],
        ['Minutes', 'number'],
        ['Billable', 'yesNo'],
      ],
    },
  },
  ['timesheets.Consultant no > consultants.Consultant no', 'timesheets.Assignment no > assignments.Assignment no'],
)
told('time that was spent', times, [
  [
    'How many hours did Ada Moss log in May 2024?',
    'Number of hours, 2024-05-01 – 2024-05-31, name of Consultants is Ada Moss',
  ],
  [
    'Total hours per assignment',
    'Total hours, by assignment no of Assignments, by title of Assignments, assignment no is not empty',
  ],
  ['What share of the logged time is billable?', 'What share of the logged time'],
  ['Compare logged hours in April and May 2024', 'Logged hours, by month, 2024-04-01 – 2024-05-31'],
])
told('how people and things stand', times, [
  ['List consultants who have left', 'Consultants: name, end date is not empty'],
  ['How many consultants work here now?', 'Number of consultants, end date is empty'],
  [
    'Which assignments are past their deadline but still open?',
    'Assignments: title, status is Open, deadline is less than 2024-06-01',
  ],
])

told('what the data do not hold: a version is a whole text, what addresses end with is a part of one', times, [
  ['How many assignments have title "1.25"?', 'Number of assignments, title is 1.25'],
  ['How many consultants have name gmail.com?', 'Number of consultants, name contains “gmail.com”'],
])

const bills = smallTables(
  {
    kunder: {
      rows: 30,
      headings: [
        ['Kundnr', 'key'],
        ['Namn', 'name'],
        ['Förnamn', 'name'],
        ['Efternamn', 'name'],
        ['Telefon', 'name'],
      ],
    },
    fakturor: {
      rows: 200,
      headings: [
        ['Fakturanr', 'key'],
        ['Kundnr', 'link'],
        ['Fakturadatum', 'date'],
        ['Förfallodatum', 'date'],
        ['Betaldatum', 'date'],
        ['Belopp', 'number'],
        ['Moms', 'number'],
        ['Status', 'kind', 'Betald', 'Obetald', 'Krediterad'],
      ],
    },
  },
  ['fakturor.Kundnr > kunder.Kundnr'],
)
told('fakturor', bills, [
  ['Hur många fakturor betalades efter förfallodatum?', 'Number of fakturor, betaldatum is more than Förfallodatum'],
  [
    'Genomsnittligt antal dagar från fakturadatum till betalning',
    'Genomsnittligt antal dagar från fakturadatum till betalning',
  ],
  ['Total moms på krediterade fakturor', 'Total moms, status is Krediterad'],
  ['Total momsen per månad', 'Total momsen, by month'],
  ['Hur många fakturor är inte betalda?', 'Number of fakturor, status is Obetald'],
  ['Fakturerat belopp per månad', 'Total belopp, by month'],
])

const stock = smallTables({
  artiklar: {
    rows: 40,
    headings: [
      ['Artikelnr', 'key'],
      ['Benämning', 'name'],
      ['Inköpspris', 'number'],
      ['Försäljningspris', 'number'],
      ['Lagersaldo', 'number'],
      ['Beställningspunkt', 'number'],
    ],
  },
})
told('lager', stock, [
  ['Vilka varor är slut i lager?', 'Artiklar: benämning, lagersaldo is at most 0'],
  ['Vilka artiklar behöver beställas?', 'Artiklar: benämning, lagersaldo is less than Beställningspunkt'],
  ['Vilka artiklar säljs under inköpspris?', 'Artiklar: benämning, försäljningspris is less than Inköpspris'],
  ['Vad är det totala lagervärdet? Lagervärde är lagersaldo gånger inköpspris.', 'Totala lagervärdet'],
])

const counter = smallTables({
  sales: {
    rows: 300,
    headings: [
      ['Sale no', 'key'],
      ['Sold on', 'date'],
      ['Customer', 'kind', 'Ada', 'Bo'],
      ['Seller', 'kind', 'Cy', 'Di'],
      ['Amount', 'number'],
      ['Discount', 'number'],
    ],
  },
})
told('who gave the most and the least', counter, [
  ['Which customer gave the most?', 'Total amount, by customer, total amount, highest first, top 1'],
  ['Which customer gave the least?', 'Total amount, by customer, total amount, lowest first, top 1'],
  [
    'Which customer gave the least money last year?',
    'Total amount, by customer, last year, total amount, lowest first, top 1',
  ],
  [
    'Which seller has given the least discount?',
    'Total discount, by seller, seller is not empty, total discount, lowest first, top 1',
  ],
  [
    'Which seller gave the most discounts?',
    'Total discount, by seller, seller is not empty, total discount, highest first, top 1',
  ],
])

const campaigns = smallTables({
  campaigns: {
    rows: 300,
    headings: [
      ['Campaign no', 'key'],
      ['Ran on', 'date'],
      ['Channel', 'kind', 'Web', 'Shop'],
      ['Conversion rate', 'number'],
      ['Win rate', 'number'],
      ['Return rate', 'number'],
      ['Status', 'kind', 'Converted', 'Cancelled', 'Open'],
    ],
  },
})
told('rates that are headings', campaigns, [
  ['average conversion rate by channel', 'Average conversion rate, by channel'],
  ['average win rates by channel', 'Average win rates, by channel'],
  ['What is the average return rate?', 'Average return rate'],
  ['Cancellation rate by channel', 'Cancelled rate, by channel'],
])

const policies = smallTables({
  policies: {
    rows: 300,
    headings: [
      ['Policy no', 'key'],
      ['Signed', 'date'],
      ['Broker', 'kind', 'Ada', 'Bo'],
      ['Assignee', 'kind', 'Cy', 'Di'],
      ['Premium', 'number'],
    ],
  },
})
told('agents are brokers, and owners are not assignees', policies, [
  ['premium per agent', 'Total premium, by broker'],
  ['premium per handler', 'Total premium, by assignee'],
  ['premium per owner', 'clarify'],
])

const staff = smallTables({
  staff: {
    rows: 30,
    headings: [
      ['No', 'key'],
      ['Namn', 'name', 'Ada', 'Bo'],
      ['Anställd', 'date'],
      ['Frånvaro', 'date'],
    ],
  },
})
told('who is away has not left', staff, [['List staff who have left', 'clarify']])

const logs = smallTables({
  'audit logs': {
    rows: 300,
    headings: [
      ['Entry no', 'key'],
      ['Day', 'date'],
      ['User', 'kind', 'Ada', 'Bo'],
    ],
  },
})
told('nouns of tables are read', logs, [['How many logs per user?', 'Number of logs, by user']])
told('nouns of other tables are not passed over', bills, [
  ['antal uppgifter per status', 'clarify'],
  ['antal rader per status', 'Count, by status'],
])

const documents = smallTables({
  documents: {
    rows: 300,
    headings: [
      ['No', 'key'],
      ['Day', 'date'],
      ['Amount', 'number'],
      ['Kind', 'kind', 'Invoice', 'Voice', 'Memo'],
      ['Delivery', 'kind', 'Delivered', 'Not delivered', 'Lost'],
    ],
  },
})
told('values that deny another, and those that only begin so', documents, [
  ['Total amount where kind is not Voice', 'Total amount, kind is not Voice'],
  ['Number of documents where delivery is not Delivered', 'Number of documents, delivery is Not delivered'],
])

const salon = smallTables(
  {
    tjänster: {
      rows: 8,
      headings: [
        ['Tjänst nr', 'key'],
        ['Tjänst', 'name', 'Klippning', 'Slingor'],
        ['Pris', 'number'],
      ],
    },
    bokningar: {
      rows: 200,
      headings: [
        ['Bokning nr', 'key'],
        ['Tjänst nr', 'link'],
        ['Dag', 'date'],
        ['Status', 'kind', 'Open', 'Done'],
        ['Belopp', 'number'],
        ['Rabatt', 'number'],
      ],
    },
  },
  ['bokningar.Tjänst nr > tjänster.Tjänst nr'],
)
told('verbs, prices and totals are read only where they are said', salon, [
  ['Vilka tjänster har ingen bokat?', 'Tjänster: tjänst nr, without bokningar'],
  ['Vilka bokningar har ingen rabatt?', 'Bokningar: bokning nr, rabatt is 0 or is empty'],
  ['Vad kostar en klippning', 'Average pris, tjänst is Klippning'],
  ['Vad kostar klippning?', 'Average pris, tjänst is Klippning'],
  ['Vad kostar bokningarna i mars?', 'clarify'],
  ['Hur fördelar sig bokningarna per status?', 'Count, by status'],
  ['Hur fördelar sig omsättningen per status?', 'Total belopp, by status'],
  ['The total of open bokningar', 'Total of bokningar, status is Open'],
])
const rentals = smallTables(
  {
    customers: {
      rows: 8,
      headings: [
        ['Customer no', 'key'],
        ['Name', 'name'],
      ],
    },
    scooters: {
      rows: 8,
      headings: [
        ['Scooter no', 'key'],
        ['Model', 'kind', 'X', 'Y'],
      ],
    },
    rentals: {
      rows: 200,
      headings: [
        ['Rental no', 'key'],
        ['Customer no', 'link'],
        ['Scooter no', 'link'],
        ['Day', 'date'],
        ['Price', 'number'],
      ],
    },
  },
  ['rentals.Customer no > customers.Customer no', 'rentals.Scooter no > scooters.Scooter no'],
)
told('things that are called as doers are, and have no names, are no people', rentals, [
  ['Who has the most rentals?', 'Number of rentals, by name of Customers, number of rentals, highest first, top 1'],
])
