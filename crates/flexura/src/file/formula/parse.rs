//! From the text of a formula to its [`Expression`]: recursive descent, one function per precedence.

use std::sync::Arc;

use super::function::Function;
use super::token::{Token, TokenKind, tokens};
use super::{Expression, Formula, FormulaFault, Kind, LONGEST, Operator};

/// Deepest brackets, so that reading and evaluating stay within the stack.
const DEEPEST: usize = 32;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
    depth: usize,
    names: Vec<Arc<str>>,
    texts: Vec<Arc<str>>,
    size: usize,
}

/// Reads a formula (without the sign `=` before it).
pub(in crate::file) fn parse(text: &str) -> Result<Formula, FormulaFault> {
    if text.len() > LONGEST {
        let message = format!("the formula has {} bytes; at most {LONGEST} are read", text.len());
        let help = "split it: give parts of it names in [let]";
        return Err(FormulaFault::new("formula-size", 0..text.len(), message, help));
    }
    let mut parser =
        Parser { tokens: tokens(text)?, next: 0, depth: 0, names: Vec::new(), texts: Vec::new(), size: 0 };
    let root = parser.choice()?;
    if parser.peek() != TokenKind::End {
        return Err(parser.unexpected("an operator or the end"));
    }
    Ok(Formula { root, names: parser.names, texts: parser.texts, size: parser.size })
}

impl<'a> Parser<'a> {
    fn peek(&self) -> TokenKind<'a> {
        self.tokens[self.next].kind
    }

    /// Takes the next token, but never the end.
    fn take(&mut self) -> Token<'a> {
        let token = self.tokens[self.next].clone();
        if token.kind != TokenKind::End {
            self.next += 1;
        }
        token
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Sign(found) if found == sign);
        if found {
            self.next += 1;
        }
        found
    }

    fn unexpected(&self, wanted: &str) -> FormulaFault {
        let token = &self.tokens[self.next];
        let found = match token.kind {
            TokenKind::End => "the formula ends".to_owned(),
            TokenKind::Number(number) => format!("the number {number} stands"),
            TokenKind::Name(name) => format!("`{name}` stands"),
            TokenKind::Text(text) => format!("'{text}' stands"),
            TokenKind::Sign(sign) => format!("`{sign}` stands"),
        };
        let message = format!("{found} where {wanted} is expected");
        let help = "formulas read like (a + 2*b)/sin(0.3) or if(i == 1, 0, r)";
        FormulaFault::new("formula-syntax", token.range.clone(), message, help)
    }

    fn expect(&mut self, sign: &str) -> Result<usize, FormulaFault> {
        let end = self.tokens[self.next].range.end;
        if self.takes(sign) { Ok(end) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn make(&mut self, start: usize, end: usize, kind: Kind) -> Expression {
        self.size += 1;
        Expression { range: start..end, kind }
    }

    /// Operands of one precedence with the operators between them.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Result<Expression, FormulaFault>,
        operator: fn(TokenKind<'_>) -> Option<Operator>,
        several: bool,
    ) -> Result<Expression, FormulaFault> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        while let Some(found) = operator(self.peek()).filter(|_| several || rest.is_empty()) {
            self.take();
            rest.push((found, operand(self)?));
        }
        match rest.last().map(|(_, last): &(Operator, Expression)| last.range.end) {
            Some(end) => Ok(self.make(first.range.start, end, Kind::Chain(Box::new(first), rest))),
            None => Ok(first),
        }
    }

    fn choice(&mut self) -> Result<Expression, FormulaFault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let help = "split it: give parts of it names in [let]";
            let message = format!("the formula has more than {DEEPEST} brackets inside each other");
            return Err(FormulaFault::new(
                "formula-size",
                self.tokens[self.next].range.clone(),
                message,
                help,
            ));
        }
        let word = |kind: TokenKind<'_>| (kind == TokenKind::Name("or")).then_some(Operator::Or);
        let found = self.chain(Self::conjunction, word, true);
        self.depth -= 1;
        found
    }

    fn conjunction(&mut self) -> Result<Expression, FormulaFault> {
        let word = |kind: TokenKind<'_>| (kind == TokenKind::Name("and")).then_some(Operator::And);
        self.chain(Self::negation, word, true)
    }

    fn negation(&mut self) -> Result<Expression, FormulaFault> {
        let start = self.tokens[self.next].range.start;
        let mut count = 0;
        while self.peek() == TokenKind::Name("not") {
            self.take();
            count += 1;
        }
        let mut inner = self.comparison()?;
        // Two of them say as much as any even number.
        for _ in 0..if count > 2 { 2 - count % 2 } else { count } {
            inner = self.make(start, inner.range.end, Kind::Not(Box::new(inner)));
        }
        Ok(inner)
    }

    fn comparison(&mut self) -> Result<Expression, FormulaFault> {
        let sign = |kind: TokenKind<'_>| match kind {
            TokenKind::Sign("<") => Some(Operator::Less),
            TokenKind::Sign("<=") => Some(Operator::LessOrEqual),
            TokenKind::Sign(">") => Some(Operator::Greater),
            TokenKind::Sign(">=") => Some(Operator::GreaterOrEqual),
            TokenKind::Sign("==") => Some(Operator::Equal),
            TokenKind::Sign("!=") => Some(Operator::Different),
            _ => None,
        };
        self.chain(Self::join, sign, false)
    }

    fn join(&mut self) -> Result<Expression, FormulaFault> {
        let sign = |kind: TokenKind<'_>| (kind == TokenKind::Sign("&")).then_some(Operator::Join);
        self.chain(Self::sum, sign, true)
    }

    fn sum(&mut self) -> Result<Expression, FormulaFault> {
        let sign = |kind: TokenKind<'_>| match kind {
            TokenKind::Sign("+") => Some(Operator::Plus),
            TokenKind::Sign("-") => Some(Operator::Minus),
            _ => None,
        };
        self.chain(Self::product, sign, true)
    }

    fn product(&mut self) -> Result<Expression, FormulaFault> {
        let sign = |kind: TokenKind<'_>| match kind {
            TokenKind::Sign("*") => Some(Operator::Times),
            TokenKind::Sign("/") => Some(Operator::Over),
            _ => None,
        };
        self.chain(Self::sign, sign, true)
    }

    /// Signs before a power: an even number of minus signs is none.
    fn sign(&mut self) -> Result<Expression, FormulaFault> {
        let start = self.tokens[self.next].range.start;
        let (mut negative, mut signed) = (false, false);
        while let TokenKind::Sign(sign @ ("-" | "+")) = self.peek() {
            self.take();
            (negative, signed) = (negative != (sign == "-"), true);
        }
        let inner = self.power()?;
        if negative {
            return Ok(self.make(start, inner.range.end, Kind::Negative(Box::new(inner))));
        }
        let start = if signed { start } else { inner.range.start };
        Ok(Expression { range: start..inner.range.end, kind: inner.kind })
    }

    fn power(&mut self) -> Result<Expression, FormulaFault> {
        let base = self.entry()?;
        if !self.takes("^") {
            return Ok(base);
        }
        // Powers of powers nest to the right.
        self.depth += 1;
        let exponent =
            if self.depth > DEEPEST { Err(self.unexpected("a simpler power")) } else { self.sign() };
        self.depth -= 1;
        let exponent = exponent?;
        let (start, end) = (base.range.start, exponent.range.end);
        Ok(self.make(start, end, Kind::Power(Box::new(base), Box::new(exponent))))
    }

    fn entry(&mut self) -> Result<Expression, FormulaFault> {
        let mut list = self.atom()?;
        let before = self.depth;
        while self.takes("[") {
            self.depth += 1;
            let index = self.choice()?;
            let end = self.expect("]")?;
            list = self.make(list.range.start, end, Kind::Entry(Box::new(list), Box::new(index)));
        }
        self.depth = before;
        Ok(list)
    }

    fn atom(&mut self) -> Result<Expression, FormulaFault> {
        let Token { range, kind } = self.tokens[self.next].clone();
        match kind {
            TokenKind::Number(number) => {
                self.take();
                Ok(self.make(range.start, range.end, Kind::Number(number)))
            }
            TokenKind::Text(text) => {
                self.take();
                let text: Arc<str> = text.into();
                self.texts.push(text.clone());
                Ok(self.make(range.start, range.end, Kind::Text(text)))
            }
            TokenKind::Sign("(") => {
                self.take();
                let inner = self.choice()?;
                let end = self.expect(")")?;
                Ok(Expression { range: range.start..end, kind: inner.kind })
            }
            TokenKind::Name(name) if !matches!(name, "and" | "or" | "not") => {
                self.take();
                if self.takes("(") { self.call(name, range) } else { Ok(self.name(name, range)) }
            }
            _ => Err(self.unexpected("a number, a name or a bracket")),
        }
    }

    fn name(&mut self, name: &str, range: std::ops::Range<usize>) -> Expression {
        let kind = match name {
            "pi" => Kind::Number(std::f64::consts::PI),
            "true" | "false" => Kind::Truth(name == "true"),
            _ => {
                let known = self.names.iter().find(|known| ***known == *name).cloned();
                let name = known.unwrap_or_else(|| {
                    self.names.push(name.into());
                    name.into()
                });
                Kind::Name(name)
            }
        };
        self.make(range.start, range.end, kind)
    }

    /// Arguments after the opening bracket.
    fn call(&mut self, name: &str, range: std::ops::Range<usize>) -> Result<Expression, FormulaFault> {
        let mut arguments = Vec::new();
        if !matches!(self.peek(), TokenKind::Sign(")")) {
            arguments.push(self.choice()?);
            while self.takes(",") {
                arguments.push(self.choice()?);
            }
        }
        let end = self.expect(")")?;
        let whole = range.start..end;
        let kind = match (name, <[Expression; 3]>::try_from(arguments)) {
            ("if", Ok(three)) => Kind::If(Box::new(three)),
            ("if", Err(_)) => {
                let help = "write if(i == 1, 0, r): the condition, the value if it holds, the value if not";
                return Err(FormulaFault::new("formula-syntax", whole, "`if` needs three arguments", help));
            }
            (_, found) => {
                let arguments = found.map_or_else(|list| list, Vec::from);
                Kind::Call(Function::find(name, &range, arguments.len())?, arguments)
            }
        };
        Ok(self.make(whole.start, whole.end, kind))
    }
}
