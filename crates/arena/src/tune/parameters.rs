use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole numbers, as spin options.
    Int,
    /// Any numbers.
    Float,
}

/// One parameter of a `.params` file: `name,type,value,min,max,step,delta`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// The option of the engine.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
    /// The present value; tuning keeps fractions even of integers.
    pub value: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The perturbation of each side at the end of the tuning (`c_end`).
    pub step: f64,
    /// The change by one pair at the end of the tuning, in steps (`r_end`).
    pub delta: f64,
    /// Whether it is tuned.
    pub used: bool,
    /// The comment after `//`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// Why a `.params` file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ParametersError {
    line: usize,
    what: String,
}

/// Marks a parameter that is not tuned.
const NOT_USED: &str = "[[NOT USED]]";

impl Parameter {
    /// Parses a line that is neither blank nor a comment.
    fn read(text: &str) -> Result<Self, String> {
        let used = !text.contains(NOT_USED);
        let mut text = text.to_owned();
        // Repeated, because removing one may leave another.
        while text.contains(NOT_USED) {
            text = text.replace(NOT_USED, "");
        }
        let (values, comment) = match text.split_once("//") {
            Some((values, comment)) => (values, Some(comment.trim().to_owned())),
            None => (text.as_str(), None),
        };
        let fields: Vec<&str> = values.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = fields.as_slice() else {
            return Err("expected name,type,value,min,max,step,delta".to_owned());
        };
        let kind = match *kind {
            "int" => Kind::Int,
            "float" => Kind::Float,
            other => return Err(format!("expected the type int or float, found `{other}`")),
        };
        let finite = |word: &&str| word.parse::<f64>().ok().filter(|number| number.is_finite());
        let numbers: Option<Vec<f64>> = numbers.iter().map(finite).collect();
        let Some(&[value, min, max, step, delta]) = numbers.as_deref() else {
            return Err(format!(
                "expected the five numbers value,min,max,step,delta, found `{}`",
                values.trim()
            ));
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!("expected the name of an option, found `{name}`"));
        }
        if !(min..=max).contains(&value) {
            return Err(format!("{name}: the value {value} is not between {min} and {max}"));
        }
        if step <= 0.0 || delta < 0.0 {
            return Err(format!("{name}: expected a step above 0 and a delta of at least 0"));
        }
        Ok(Self { name: (*name).to_owned(), kind, value, min, max, step, delta, used, comment })
    }

    /// A value as it is sent to the engine.
    #[must_use]
    pub fn option_value(&self, value: f64) -> String {
        let value = value.clamp(self.min, self.max);
        match self.kind {
            Kind::Int => format!("{:.0}", value.round()),
            Kind::Float => value.to_string(),
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, value, min, max, step, delta, used, comment } = self;
        let kind = match kind {
            Kind::Int => "int",
            Kind::Float => "float",
        };
        write!(f, "{name},{kind},{value},{min},{max},{step},{delta}")?;
        if let Some(comment) = comment {
            write!(f, " // {comment}")?;
        }
        if *used { Ok(()) } else { write!(f, " {NOT_USED}") }
    }
}

/// A `.params` file: its parameters, and the blank and comment lines in between.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParametersFile {
    lines: Vec<Result<Parameter, String>>,
}

impl ParametersFile {
    /// Reads a file.
    ///
    /// ```
    /// use arena::tune::ParametersFile;
    /// let file = ParametersFile::read("Margin,int,100,0,200,10,0.002\n")?;
    /// assert_eq!(file.parameters().next().map(|p| p.max), Some(200.0));
    /// # Ok::<(), arena::tune::ParametersError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, ParametersError> {
        let mut lines: Vec<Result<Parameter, String>> = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let error = |what| ParametersError { line: index + 1, what };
            let is_comment = ["#", "//"].iter().any(|mark| line.trim_start().starts_with(mark));
            if line.trim().is_empty() || is_comment {
                lines.push(Err(line.trim_end().to_owned()));
                continue;
            }
            let parameter = Parameter::read(line).map_err(error)?;
            if lines.iter().flatten().any(|known| known.name == parameter.name) {
                return Err(error(format!("{} stands here for the second time", parameter.name)));
            }
            lines.push(Ok(parameter));
        }
        Ok(Self { lines })
    }

    /// The parameters in order.
    pub fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.lines.iter().flatten()
    }

    /// A copy with other values.
    #[must_use]
    pub fn with_values(&self, values: impl Fn(&Parameter) -> f64) -> Self {
        let change = |line: &Result<Parameter, String>| {
            line.clone().map(|parameter| Parameter { value: values(&parameter), ..parameter })
        };
        Self { lines: self.lines.iter().map(change).collect() }
    }
}

impl fmt::Display for ParametersFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            match line {
                Ok(parameter) => writeln!(f, "{parameter}")?,
                Err(text) => writeln!(f, "{text}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_styles_of_the_field_are_read() {
        let text = "# mine\nA,int,221,111,332,11.05,0.002\n\n\
                    B, int, 1.5, 0, 2.0, 0.5, 0.0020 // two words[[NOT USED]]\nC,float,0.5,0,1,0.1,0.1 [[NOT USED]]\n";
        let file = ParametersFile::read(text).unwrap();
        let parameters: Vec<_> = file.parameters().collect();
        assert_eq!(parameters.iter().map(|p| p.used).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(parameters[1].comment.as_deref(), Some("two words"));
        assert_eq!(parameters[0].option_value(221.5), "222");
        assert_eq!(parameters[0].option_value(1e9), "332");
        assert_eq!(parameters[2].option_value(0.25), "0.25");
        assert_eq!(ParametersFile::read(&file.to_string()).unwrap(), file);
        assert!(file.to_string().starts_with("# mine\nA,int,221,"));
    }

    #[test]
    fn what_is_refused() {
        for (text, message) in [
            ("A", "line 1: expected name,type,value,min,max,step,delta"),
            ("A,str,1,0,2,1,1", "line 1: expected the type int or float, found `str`"),
            (
                "\nA,int,1,0,2,1",
                "line 2: expected the five numbers value,min,max,step,delta, found `A,int,1,0,2,1`",
            ),
            ("A,int,5,0,2,1,1", "line 1: A: the value 5 is not between 0 and 2"),
            ("A,int,1,0,2,0,1", "line 1: A: expected a step above 0 and a delta of at least 0"),
            ("A,int,1,0,2,1,1\nA,int,1,0,2,1,1", "line 2: A stands here for the second time"),
            ("A b,int,1,0,2,1,1", "line 1: expected the name of an option, found `A b`"),
        ] {
            assert_eq!(ParametersFile::read(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn odd_ends_and_marks_survive() {
        for text in
            ["\r\n\n\r", "# x \r", "A,int,1,0,2,1,1 // a [[NOT [[NOT USED]]USED]]", "A,int,1,0,2,1,1 //"]
        {
            let file = ParametersFile::read(text).unwrap();
            assert_eq!(ParametersFile::read(&file.to_string()).unwrap(), file, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            if let Ok(file) = ParametersFile::read(&text) {
                prop_assert_eq!(ParametersFile::read(&file.to_string()).unwrap(), file);
            }
        }
    }
}
